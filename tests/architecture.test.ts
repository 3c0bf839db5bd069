import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/**
 * The house as one array (left may be imported by right, never the other way round): doors leftmost, then
 * who, device → feed, question → picture; what puts it all together last.
 */
const serverRooms = [
  'platform',
  'policy',
  'networks',
  'notifiers',
  'wire',
  'connectors',
  'executor',
  'audit',
  'events',
  'organizations',
  'session',
  'groups',
  'users',
  'account',
  'jobs',
  'access',
  'favorites',
  'tags',
  'channels',
  'uplinks',
  'history',
  'decoders',
  'network-servers',
  'live',
  'data-sources',
  'queries',
  'query-snippets',
  'results',
  'visualizations',
  'dashboards',
  'destinations',
  'alerts',
  'commands',
  'move',
  'search',
  'admin',
  'probes',
  'assistants',
  'pages',
];
/** Not rooms: they start, compose or test the house, so they may see all of it. */
const composition = ['start', 'roles', 'demo', 'testing', 'app.ts', 'jobs.ts', 'reactions.ts', 'main.ts'];
/** Files of the first floor that everybody may read. */
const sharedFiles = ['config.ts', 'services.ts', 'version.ts'];

/** The rooms of the browser, by the same rule: those without product words first, then each family of pages after what it shows of others. */
const webRooms = [
  'theme',
  'api',
  'ui',
  'visualizations',
  'grid',
  'help',
  'layout',
  'permissions',
  'account',
  'settings',
  'data-sources',
  'groups',
  'users',
  'destinations',
  'networks',
  'commands',
  'queries',
  'embed',
  'dashboards',
  'alerts',
  'channels',
  'home',
  'admin',
];
const webComposition = ['main.tsx', 'routes.tsx', 'vite.config.ts'];

interface Import {
  from: string;
  to: string;
  /** Gone when the code runs. */
  isType: boolean;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Imports between our own files, as paths from the root. */
const imports: Import[] = ['domain', 'server', 'web'].flatMap(sourceFiles).flatMap((from) => {
  const text = readFileSync(join(root, from), 'utf8');
  const found = [...text.matchAll(/^(?:import|export)( type)?\s[^;']*?'([^']+)'|\bimport\(\s*'([^']+)'/gm)];
  return found.flatMap(([, type, stated, loaded]): Import[] => {
    const name = stated ?? loaded ?? '';
    const isType = type !== undefined;
    if (name.startsWith('@telltale/')) return [{ from, to: name.slice('@telltale/'.length), isType }];
    if (name.startsWith('.'))
      return [
        {
          from,
          to: relative(root, join(root, dirname(from), name))
            .split(sep)
            .join('/'),
          isType,
        },
      ];
    return [];
  });
});

/** Tests and what only they use see the whole house. */
const isTest = (path: string) => /\.(test|vectors)\.tsx?$|\/testing\//.test(path);
const code = imports.filter(({ from }) => !isTest(from));
const floorOf = (path: string) => path.split('/')[0] ?? '';
const roomOf = (path: string) => path.split('/')[1] ?? '';
const shown = ({ from, to }: Import) => `${from} → ${to}`;

test('floors: domain knows nobody, server and web know domain, never each other', () => {
  const wrong = code.filter(({ from, to }) => floorOf(from) !== floorOf(to) && floorOf(to) !== 'domain');
  expect(wrong.map(shown)).toEqual([]);
});

test('domain is pure: no Node, no React, no other package but zod', () => {
  const wrong = sourceFiles('domain')
    .filter((path) => !isTest(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const packages = [...text.matchAll(/^(?:import|export)\s[^;'=]*?\bfrom '([^'.][^']*)'/gm)].map((match) => match[1]);
      return packages.filter((name) => name !== 'zod').map((name) => `${path} → ${name}`);
    });
  expect(wrong).toEqual([]);
});

test('server: imports point left in the order of the rooms', () => {
  const wrong = code.filter(({ from, to }) => {
    if (floorOf(from) !== 'server' || floorOf(to) !== 'server') return false;
    const [fromRoom, toRoom] = [roomOf(from), roomOf(to)];
    if (fromRoom === toRoom || composition.includes(fromRoom)) return false;
    if (sharedFiles.includes(toRoom)) return false;
    if (sharedFiles.includes(fromRoom)) return toRoom !== 'platform';
    return serverRooms.indexOf(toRoom) > serverRooms.indexOf(fromRoom) || !serverRooms.includes(toRoom);
  });
  expect(wrong.map(shown)).toEqual([]);
});

test('server: every room is in the list', () => {
  const rooms = new Set(sourceFiles('server').map(roomOf));
  const known = [...serverRooms, ...composition, ...sharedFiles, 'migrations'];
  expect([...rooms].filter((room) => !known.includes(room))).toEqual([]);
});

test('server: another room’s SQL is out of reach, only its face is imported', () => {
  const wrong = code.filter(
    ({ from, to }) => /\.(store|routes|jobs)\.ts$/.test(to) && roomOf(from) !== roomOf(to) && !composition.includes(roomOf(from)),
  );
  expect(wrong.map(shown)).toEqual([]);
});

/** Where SQL may stand beside `*.store.ts`, and why. */
const sqlOutsideStores: Record<string, string> = {
  'server/platform/': 'jobs, leases, lists and migrations are the database to the rooms',
  'server/policy/': 'rules about access are conditions that rooms put into their SQL',
  'server/start/': 'it prepares, saves and restores the database itself',
  'server/uplinks/storage/': 'it writes readings by COPY and keeps partitions, which is all it does',
  'server/networks/mqtt/kept-sessions.ts': 'a door has no store: the subscriptions of sessions, and nothing else',
  'server/networks/mqtt/user-subscribers.ts': 'a door has no store: the last states for those who look on',
  'server/connectors/': 'its SQL is for the databases of others',
};

/** Signs of SQL: the tag of Kysely, its builders, and texts given to the driver. */
const sqlIn = (text: string) =>
  text.match(
    /\bsql(?:\.raw\(|<|`)|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\.query(?:<[^(]*>)?\(\s*['"`](?:select|insert|update|delete|with|create|alter|drop|grant)\b/g,
  ) ?? [];

test('server: SQL stands in stores', () => {
  const outside = sourceFiles('server').filter(
    (path) => !isTest(path) && !path.endsWith('.store.ts') && !Object.keys(sqlOutsideStores).some((place) => path.startsWith(place)),
  );
  expect(outside.filter((path) => sqlIn(readFileSync(join(root, path), 'utf8')).length > 0)).toEqual([]);
});

test.each([
  ['await sql`select 1`.execute(db)', ['sql`']],
  ['sql<{ id: number }>`select id`', ['sql<']],
  ['sql.raw(text)', ['sql.raw(']],
  ["db.selectFrom('users')", ['.selectFrom(']],
  ["client.query<{ id: number }>('select id from users')", [".query<{ id: number }>('select"]],
  ["const isSql = name === 'sql'; sqlRows(`a`);", []],
])('server: SQL is seen in %j', (text, expected) => {
  expect(sqlIn(text)).toEqual(expected);
});

test('web: imports point left in the order of the rooms', () => {
  const wrong = code.filter(({ from, to }) => {
    if (floorOf(from) !== 'web' || floorOf(to) !== 'web') return false;
    const [fromRoom, toRoom] = [roomOf(from), roomOf(to)];
    if (fromRoom === toRoom || webComposition.includes(fromRoom)) return false;
    return webRooms.indexOf(toRoom) > webRooms.indexOf(fromRoom) || !webRooms.includes(toRoom);
  });
  expect(wrong.map(shown)).toEqual([]);
});

test('web: every room is in the list', () => {
  const rooms = new Set(sourceFiles('web').map(roomOf));
  expect([...rooms].filter((room) => ![...webRooms, ...webComposition].includes(room))).toEqual([]);
});

test('settings: config.ts is the only reader of the environment on the server, but for what is decided before it is loaded', () => {
  const readsIt = ['server/config.ts', 'server/platform/bundle.ts'];
  const readers = sourceFiles('server').filter(
    (path) => !isTest(path) && /process\.env(?!\.\w+ = )/.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(readers.filter((path) => !path.startsWith('server/testing/')).sort()).toEqual(readsIt);
});

/** Who opens or takes sockets on the server (security 9). Addresses that people typed are reached through the first two groups alone. */
const doors = [
  // outgoing HTTP: each address is checked
  ...['server/platform/outgoing/exchange.ts', 'server/platform/outgoing/resolve.ts', 'server/platform/outgoing.ts'],
  // drivers of databases: each host is checked
  ...['server/connectors/hosts.ts', 'server/connectors/mysql/session.ts', 'server/connectors/postgres/session.ts'],
  // brokers of networks: each host is checked
  'server/networks/mqtt-link.ts',
  // the demo, to the console and the broker of its own installation
  ...['server/demo/console-client.ts', 'server/demo/simulator.ts'],
  // the operator's mail server
  'server/platform/mail.ts',
  // listeners
  ...['server/networks/mqtt/hooks.ts', 'server/networks/mqtt/listeners.ts', 'server/live/live.ts'],
  // between our own processes, and to find free ports
  ...['server/executor/tasks.ts', 'server/uplinks/mqtt-bridge.routes.ts', 'server/start/ports.ts'],
  // names the module for the code that it bundles
  'server/start/build-bundle.ts',
];
const wires = ['http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns', 'dns/promises', 'undici', 'ws', 'mqtt', 'mysql2', 'nodemailer'];
/** What these modules have beside sockets. */
const harmless = /^(isIP|isIPv4|isIPv6|BlockList|STATUS_CODES|validateHeaderName|validateHeaderValue|ServerResponse|IncomingMessage)$/;

function socketsIn(text: string): string[] {
  const isWire = (name: string) => wires.includes(name.replace(/^node:/, '').replace(/^(mysql2|undici)\/.*/, '$1'));
  const stated = [...text.matchAll(/^(?:import|export)\s+(?!type\s)([^;']*?)\bfrom\s+'([^']+)'/gm)].filter(([, names = '', name = '']) => {
    const listed = /^\{([^}]*)\}\s*$/.exec(names)?.[1]?.split(',') ?? [names];
    const values = listed.map((one) => one.trim()).filter((one) => one !== '' && !one.startsWith('type '));
    return isWire(name) && values.some((one) => !harmless.test(one.split(/\s+as\s+/)[0] ?? ''));
  });
  const loaded = [...text.matchAll(/\b(?:import|require|getBuiltinModule)\(\s*['"`]([^'"`]+)/g)].filter(([, name = '']) => isWire(name));
  const globals = [...text.matchAll(/(?<![.\w])fetch\(|\bglobalThis\.fetch\b|\bnew (?:WebSocket|EventSource)\b/g)];
  return [...stated.map((found) => found[2] ?? ''), ...loaded.map((found) => found[1] ?? ''), ...globals.map(([found]) => found)];
}

test('security 9: nothing but the doors opens sockets', () => {
  const open = [...sourceFiles('server'), ...sourceFiles('domain')].filter(
    (path) => !isTest(path) && socketsIn(readFileSync(join(root, path), 'utf8')).length > 0,
  );
  expect(open.sort()).toEqual(doors.toSorted());
});

test.each([
  ["import { request } from 'node:https';", ['node:https']],
  ["import { isIP, connect as reach } from 'net';", ['net']],
  ["import {\n  type Socket,\n  Agent,\n} from 'node:http';", ['node:http']],
  ["import undici from 'undici';", ['undici']],
  ["import * as net from 'node:net';", ['node:net']],
  ["const { connect } = await import('node:tls');", ['node:tls']],
  ["import { createConnection } from 'mysql2/promise';", ['mysql2/promise']],
  ["export { lookup } from 'node:dns/promises';", ['node:dns/promises']],
  ['await fetch(url)', ['fetch(']],
  ['new WebSocket(url)', ['new WebSocket']],
  ["import { isIP, type Socket } from 'node:net';\nimport type { Agent } from 'node:http';", []],
  ["await http.fetch(url); const prefetch = refetch(1); import { x } from './net.ts';", []],
])('security 9: what opens sockets is seen in %j', (text, expected) => {
  expect(socketsIn(text)).toEqual(expected);
});

/** Members of libraries that their types leave out. Each library has one file that uses them, whose test names what a new version lacks. */
const privateMembers = [
  {
    of: 'pg',
    file: 'server/platform/pg-internals.ts',
    members:
      /\.connection\.stream\b|connection: \{ stream|\b(?:processID|secretKey): number|\bsendCopyFromChunk\(chunk|\bhandle(?:CopyData|CopyInResponse|ReadyForQuery|DataRow)\b|as pg\.Submittable\b/,
  },
  {
    of: 'Aedes',
    file: 'server/networks/mqtt/aedes-internals.ts',
    members:
      /\b_(?:parser|keepaliveTimer|nextId|requestProblemInformation|notAuthorized|takingOver)\b|\b(?:deliverQoS|deliver0|scheduleSessionExpiry|publishWill)\b|\bAedes\.prototype\b/,
  },
];

test.each(privateMembers)('private members of $of are used in $file and nowhere else', ({ file, members }) => {
  const users = ['server', 'bench', 'scripts'].flatMap(sourceFiles).filter((path) => {
    if (/\.test\.ts$/.test(path) || (file.includes('/mqtt/') && !path.startsWith('server/networks/'))) return false;
    return members.test(readFileSync(join(root, path), 'utf8'));
  });
  expect(users).toEqual([file]);
});

test('there are no import cycles between files', () => {
  const next = Map.groupBy(
    code.filter(({ isType }) => !isType),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    if (done.has(path)) return;
    for (const { to } of next.get(path) ?? []) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const path of next.keys()) visit(path, []);
  expect(cycles).toEqual([]);
});

/** The guard of routes compares what a contract states with what the caller holds. */
const routeGuard = 'server/platform/http/access.ts';
/** Rooms without people in them: what is called so there is about bytes, processes and devices. */
const withoutPeople = ['platform', 'networks', 'wire', 'connectors', 'executor', 'uplinks', 'start'];

/** Signs of a decision about access: names of predicates, looks at permissions, groups and owners, somebody else put in a context. */
function decisionsIn(text: string): string[] {
  const named = text.match(/(?<=\b(?:function|const|let) )(?:may|can|must)[A-Z]\w*/g) ?? [];
  const looked =
    text.match(/\b(?:hasPermission|hasAnyPermission|isOwnerOrAdmin|sourceAccess)\b|\b(?:permissions|group_ids)\.(?:includes|some)\b/g) ??
    [];
  const owners = text.match(/[!=]== (?:ctx|tx)\.user\.id\b|\b(?:ctx|tx)\.user\.id [!=]==/g) ?? [];
  const disguised = text.match(/\{ \.\.\.(?:ctx|tx), (?:identity|user)\b/g) ?? [];
  return [...named, ...looked, ...owners, ...disguised];
}

test('security 20: access is decided in server/policy and nowhere else', () => {
  const outside = sourceFiles('server').filter(
    (path) =>
      !isTest(path) &&
      path !== routeGuard &&
      !path.startsWith('server/results/export/') &&
      ![...withoutPeople, 'policy'].includes(roomOf(path)),
  );
  const found = outside.flatMap((path) => decisionsIn(readFileSync(join(root, path), 'utf8')).map((sign) => `${path} ${sign}`));
  expect(found).toEqual([]);
});

test.each([
  ['export const mayView = (ctx: Ctx) => true;', ['mayView']],
  ['async function canEdit() {}', ['canEdit']],
  ["if (hasPermission(ctx.user.permissions, 'admin')) return;", ['hasPermission']],
  ["ctx.user.permissions.includes('admin')", ['permissions.includes']],
  ['row.user_id === ctx.user.id', ['=== ctx.user.id']],
  ['mayRead({ ...ctx, identity: owner })', ['{ ...ctx, identity']],
  ["may(ctx.user, 'view', 'query', row); const cancelled = candidate; const maybe = 1;", []],
])('security 20: a decision is seen in %j', (text, expected) => {
  expect(decisionsIn(text)).toEqual(expected);
});

/** Loaded by one test file only. */
const walked = /^server\/testing\/routes-walk\//;

test('server: files that tests share start nothing when they are loaded, because the files of one process share what is loaded', () => {
  const starts = /^(?:export )?(?:const .* = )?await \w+\(|^(?:before|after)(?:All|Each)\(/m;
  const shared = sourceFiles('server').filter((path) =>
    /^import .* from 'vitest'|\/test-app\.ts'/m.test(readFileSync(join(root, path), 'utf8')),
  );
  const wrong = shared.filter((path) => !/\.test\.ts$|row-types\/setup\.ts$/.test(path) && !walked.test(path));
  expect(wrong.filter((path) => starts.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

test('a dialect of SQL is known by its rules: outside its own file and its connector nothing asks for one by name', () => {
  const asked = /dialect\b\)?\s*[=!]==\s*'(?!plain|json|generic)|case '(?:mysql|sqlite|duckdb|clickhouse|postgres)'/;
  const files = ['domain', 'server', 'web'].flatMap(sourceFiles).filter((path) => !/\.test\.tsx?$|^server\/connectors\//.test(path));
  expect(files.filter((path) => asked.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

const self = 'tests/architecture.test.ts';

test('whatever a file gives to others is used by one of them', () => {
  const folders = ['domain', 'server', 'web', 'tests', 'bench', 'scripts'];
  const files = [...folders.flatMap(sourceFiles), 'vitest.config.ts'].filter((path) => path !== self);
  const texts = files.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
  const usedIn = new Map<string, number>();
  for (const [, text] of texts) for (const word of new Set(text.match(/[\w$]+/g))) usedIn.set(word, (usedIn.get(word) ?? 0) + 1);
  const unused = texts.flatMap(([path, text]) =>
    [...text.matchAll(/^export (?:async |abstract )*(?:function\*?|const|let|class) ([\w$]+)/gm)].flatMap(([, name = '']) =>
      (usedIn.get(name) ?? 0) < 2 ? [`${path} ${name}`] : [],
    ),
  );
  expect(unused).toEqual([]);
});
