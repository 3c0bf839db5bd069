import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Node, TaggedTemplateExpression } from 'typescript/unstable/ast';
import { isIdentifier, isTaggedTemplateExpression } from 'typescript/unstable/ast/is';
import { API, type Checker, type Project, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync';
import type { Column, Kind, Shape, Statement } from './row-shape.ts';

/** Tests and what only they use are left out. */
const isChecked = (path: string) =>
  path.startsWith('server/') && path.endsWith('.ts') && !/\.test\.ts$|\/testing\/|\/node_modules\//.test(path);

/**
 * Finds every `sql<T>` of the server with the row type that T stands for, by the type checker itself, whose interface is not stable between
 * versions: TypeScript is pinned. Keys are paths from the root.
 */
export function declaredRows(root: string): Record<string, Statement[]> {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProject: `${root}/server/tsconfig.json` }).getProjects();
    if (!project) throw new Error('server/tsconfig.json is not a project');
    const found: Record<string, Statement[]> = {};
    for (const name of project.program.getSourceFileNames()) {
      const path = relative(root, name).split(sep).join('/');
      if (!isChecked(path) || !readFileSync(name, 'utf8').includes('sql<')) continue;
      const statements = statementsOf(project, name, path);
      if (statements.length > 0) found[path] = statements;
    }
    return found;
  } finally {
    api.close();
  }
}

function statementsOf({ program, checker }: Project, name: string, path: string): Statement[] {
  const file = program.getSourceFile(name);
  if (!file) return [];
  return taggedIn(file).flatMap((tagged): Statement[] => {
    const [argument] = tagged.typeArguments ?? [];
    const type = argument && checker.getTypeFromTypeNode(argument);
    if (!type) return [];
    const shape = type.isTypeParameter() ? undefined : shapeOf(checker, type);
    if (shape === 'scalar') return [];
    const start = tagged.tag.end - 'sql'.length;
    const line = file.text.slice(0, start).split('\n').length;
    return [{ place: `${path}:${line}`, start, end: file.text.indexOf('>', argument.end) + 1, shape }];
  });
}

/** `sql<T>` with one type argument, anywhere in a file. */
function taggedIn(file: Node): TaggedTemplateExpression[] {
  const found: TaggedTemplateExpression[] = [];
  const visit = (node: Node): void => {
    if (isTaggedTemplateExpression(node) && node.typeArguments?.length === 1 && isIdentifier(node.tag) && node.tag.text === 'sql')
      found.push(node);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** The columns of a row type; a scalar is the type of a fragment, which has no rows. */
function shapeOf(checker: Checker, type: Type): Shape | 'scalar' {
  if (type.isUnionType()) return shapeOfUnion(type.getTypes().map((member) => shapeOf(checker, member)));
  if (!(type.flags & (TypeFlags.Object | TypeFlags.Intersection))) return 'scalar';
  return Object.fromEntries(
    checker.getPropertiesOfType(type).map((property) => {
      const column = columnOf(checker, checker.getTypeOfSymbol(property));
      return [property.name, property.flags & SymbolFlags.Optional ? { ...column, isOptional: true as const } : column];
    }),
  );
}

/** Each row is of one of several types: a column allows what any of them allows. */
function shapeOfUnion(shapes: readonly (Shape | 'scalar')[]): Shape | 'scalar' {
  const rows = shapes.filter((shape) => shape !== 'scalar');
  if (rows.length < shapes.length) return 'scalar';
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return Object.fromEntries([...names].map((name) => [name, joined(rows.map((row) => row[name]))]));
}

function joined(columns: readonly (Column | undefined)[]): Column {
  const present = columns.filter((column) => column !== undefined);
  const isOptional = present.length < columns.length || present.some((column) => column.isOptional);
  const kinds = present.every((column) => column.kinds) ? { kinds: sorted(present.flatMap((column) => column.kinds ?? [])) } : {};
  return { ...kinds, ...(isOptional ? { isOptional } : {}) };
}

/** In messages null stands last, as in the sources. */
const sorted = (kinds: readonly Kind[]): Kind[] => [...new Set(kinds)].sort((a, b) => Number(a === 'null') - Number(b === 'null'));

function columnOf(checker: Checker, type: Type | undefined): Column {
  const members = type?.isUnionType() ? type.getTypes() : type ? [type] : [];
  const kinds = members.filter(({ flags }) => !(flags & TypeFlags.Undefined)).map((member) => kindOfMember(checker, member));
  if (kinds.length === 0 || kinds.includes(undefined)) return {};
  const values = members.filter(({ flags }) => flags & (TypeFlags.StringLike | TypeFlags.NumberLike));
  const literals = values.flatMap((member) => (member.isStringLiteralType() || member.isNumberLiteralType() ? [member.value] : []));
  const column: Column = { kinds: sorted(kinds as Kind[]) };
  return literals.length > 0 && literals.length === values.length ? { ...column, literals } : column;
}

/** Undefined for a type that says nothing about its values. */
function kindOfMember(checker: Checker, type: Type): Kind | undefined {
  const { flags } = type;
  if (flags & TypeFlags.Null) return 'null';
  if (flags & TypeFlags.StringLike) return 'string';
  if (flags & TypeFlags.NumberLike) return 'number';
  if (flags & TypeFlags.BooleanLike) return 'boolean';
  // A primitive with a brand is an intersection.
  if (type.isIntersectionType())
    return (
      type
        .getTypes()
        .map((part) => kindOfMember(checker, part))
        .find((kind) => kind !== 'object') ?? 'object'
    );
  if (!(flags & TypeFlags.Object)) return undefined;
  if (checker.isArrayLikeType(type)) return 'array';
  const name = type.getSymbol()?.name;
  if (name === 'Buffer' || name === 'Uint8Array') return 'bytes';
  return name === 'Date' ? 'date' : 'object';
}
