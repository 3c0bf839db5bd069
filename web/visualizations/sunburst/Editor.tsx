import { LayoutHelp } from '../editor/LayoutHelp.tsx';

/** visualizations 14: there are no settings. */
export default function SunburstEditor() {
  return (
    <LayoutHelp
      layouts={[
        {
          text: 'This visualization expects the query result to have rows in one of the following formats. One row for each step:',
          columns: [
            ['sequence', 'sequence id'],
            ['stage', 'what stage in sequence it is (1, 2, ...)'],
            ['node', 'stage name'],
            ['value', 'number of times this sequence occurred'],
          ],
        },
        {
          text: 'Or one row for each sequence:',
          columns: [
            ['stage1', 'stage 1 value'],
            ['stage2', 'stage 2 value (or null)'],
            ['stage3', 'stage 3 value (or null)'],
            ['stage4', 'stage 4 value (or null)'],
            ['stage5', 'stage 5 value (or null)'],
            ['value', 'number of times this sequence occurred'],
          ],
        },
      ]}
      note="Without a column called value the last column of numbers counts."
    />
  );
}
