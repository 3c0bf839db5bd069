import { LayoutHelp } from '../editor/LayoutHelp.tsx';

/** visualizations 13: there are no settings. */
export default function SankeyEditor() {
  return (
    <LayoutHelp
      layouts={[
        {
          text: 'This visualization expects the query result to have rows in the following format:',
          columns: [
            ['stage1', 'stage 1 value'],
            ['stage2', 'stage 2 value (or null)'],
            ['stage3', 'stage 3 value (or null)'],
            ['stage4', 'stage 4 value (or null)'],
            ['stage5', 'stage 5 value (or null)'],
            ['value', 'how many went this way'],
          ],
        },
      ]}
      note="Stages are taken in the order of their names, the first five of them. Without a column called value the last column of numbers counts."
    />
  );
}
