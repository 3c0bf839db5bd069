import { styleText } from 'node:util';
import { version } from '../version.ts';

export interface BannerFacts {
  address: string;
  /** Where devices connect. */
  mqtt: string[];
  dataFolder: string;
  database: string;
  /** Things the operator would not expect. */
  notes: string[];
  setupCode?: string;
  startedInMs: number;
}

/** One block a person can read; colour only where a terminal shows it. */
export function bannerText(facts: BannerFacts): string {
  const rows: [string, string][] = [
    ['Console', facts.address],
    ['MQTT', facts.mqtt.length > 0 ? facts.mqtt.join(' · ') : 'switched off'],
    ['Data', facts.dataFolder],
    ['Database', facts.database],
    ...facts.notes.map((note): [string, string] => ['Note', note]),
  ];
  if (facts.setupCode) rows.push(['Set-up', `${facts.address}/setup`], ['One-time code', facts.setupCode]);
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
  const title = `${styleText('bold', `Telltale ${version}`)} is ready (${(facts.startedInMs / 1000).toFixed(1)} s)`;
  return ['', `  ${title}`, '', ...lines, ''].join('\n');
}
