import { styleText } from 'node:util';
import { version } from '../version.ts';

export interface BannerFacts {
  address: string;
  /** The addresses for devices. */
  mqtt: string[];
  dataFolder: string;
  database: string;
  /** Surprising facts for the operator. */
  notes: string[];
  setupCode?: string;
  /** The accounts of a demo. */
  people?: readonly { name: string; email: string; password: string; role: string }[];
  startedInMs: number;
}

/** One readable block; colours only in a terminal. */
export function bannerText(facts: BannerFacts): string {
  const rows: [string, string][] = [
    ['Console', facts.address],
    ['MQTT', facts.mqtt.length > 0 ? facts.mqtt.join(' · ') : 'switched off'],
    ['Data', facts.dataFolder],
    ['Database', facts.database],
    ...facts.notes.map((note): [string, string] => ['Note', note]),
  ];
  if (facts.setupCode) rows.push(['Set-up', `${facts.address}/setup`], ['One-time code', facts.setupCode]);
  for (const { email, password, role } of facts.people ?? []) rows.push(['Sign in', `${email}  ${password}  (${role})`]);
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
  const title = `${styleText('bold', `Telltale ${version}`)} is ready (${(facts.startedInMs / 1000).toFixed(1)} s)`;
  return ['', `  ${title}`, '', ...lines, ''].join('\n');
}
