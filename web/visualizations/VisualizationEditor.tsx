import { Suspense } from 'react';
import type { StoredOptions } from './define.ts';
import type { DisplaySettings } from './displaySettings.ts';
import { findVisualization } from './index.ts';
import { PictureSkeleton } from './PictureSkeleton.tsx';
import { RenderBoundary } from './RenderBoundary.tsx';
import { type ResultSource, resultTable } from './resultTable.ts';

interface VisualizationEditorProps {
  visualization: { type: string; name: string; options: StoredOptions };
  data: ResultSource;
  settings: DisplaySettings;
  /** Gets the effective options; `optionsToSave` of the kind removes those that are not stored. */
  onOptionsChange: (options: StoredOptions) => void;
}

/** The settings of one visualization, without the dialog around them; kinds without settings show nothing. */
export function VisualizationEditor({ visualization: { type, name, options }, data, settings, onOptionsChange }: VisualizationEditorProps) {
  const kind = findVisualization(type);
  if (!kind?.edit) return null;
  return (
    <RenderBoundary resetOn={[data, options, type]}>
      <Suspense fallback={<PictureSkeleton />}>
        {kind.edit({ table: resultTable(data), options, settings, name, onOptionsChange })}
      </Suspense>
    </RenderBoundary>
  );
}
