import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram, isOk, type Program, startProgram } from './program.ts';

const program = findProgram('prometheus');
export const missingPrometheus = program ? undefined : 'prometheus (Debian: prometheus)';

/** Starts Prometheus, which scrapes itself every second, so that it has data. */
export function startPrometheus(): Promise<Program> {
  return startProgram(
    program ?? '',
    async ({ port, folder }) => {
      const config = `global: {scrape_interval: 1s}\nscrape_configs: [{job_name: self, static_configs: [{targets: ['127.0.0.1:${port}'], labels: {'room': 'Küche'}}]}]\n`;
      await writeFile(join(folder, 'prometheus.yml'), config);
      return [
        ...[`--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${join(folder, 'data')}`],
        ...[`--web.listen-address=127.0.0.1:${port}`, '--query.max-samples=500000000', '--log.level=error'],
      ];
    },
    (port) => isOk(`http://127.0.0.1:${port}/-/ready`),
  );
}
