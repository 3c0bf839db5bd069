/** The steps of a start that may take a while, in the order they are shown. */
const steps = {
  database: 'Starting the database',
  pages: 'Building the pages (once for each version)',
  migrations: 'Bringing the database up to date',
  roles: 'Starting web, worker and ingest',
  demo: 'Filling the demo (once)',
} as const;
type StartStep = keyof typeof steps;

export interface StartProgress {
  /** Shows the step while `work` runs; a step that fails stays as the last line. */
  during<T>(step: StartStep, work: Promise<T>): Promise<T>;
  /** Clears the line of a terminal, so that the banner stands alone. */
  done(): void;
}

interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

const clearLine = '\r\u001b[2K';

/** Shows what a start is doing: one line that is rewritten in place on a terminal, one line for each step in a log. */
export function showProgress(output: Output = process.stdout): StartProgress {
  const running = new Set<StartStep>();
  const redraw = () => {
    const shown = (Object.keys(steps) as StartStep[]).filter((step) => running.has(step)).map((step) => steps[step]);
    output.write(clearLine + (shown.length > 0 ? `  ${shown.join(' · ')} …` : ''));
  };
  return {
    async during(step, work) {
      running.add(step);
      if (output.isTTY) redraw();
      else output.write(`${steps[step]} …\n`);
      const result = await work;
      running.delete(step);
      if (output.isTTY) redraw();
      return result;
    },
    done() {
      running.clear();
      if (output.isTTY) output.write(clearLine);
    },
  };
}
