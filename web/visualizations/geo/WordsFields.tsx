import { CheckField } from '../editor/fields.tsx';
import { TemplateField } from '../editor/TemplateField.tsx';
import styles from './GeoEditor.module.css';

interface Words {
  enabled: boolean;
  template: string;
}

interface WordsFieldsProps {
  words: Words;
  showLabel: string;
  templateLabel: string;
  note: string;
  onChange: (words: Words) => void;
}

/** Switches and templates for the texts of a shape or marker. */
export function WordsFields({ words, showLabel, templateLabel, note, onChange }: WordsFieldsProps) {
  return (
    <>
      <CheckField label={showLabel} value={words.enabled} onChange={(enabled) => onChange({ ...words, enabled })} />
      {words.enabled && (
        <div className={styles.template}>
          <TemplateField
            label={templateLabel}
            value={words.template}
            placeholder="Default template"
            note={note}
            onChange={(template) => onChange({ ...words, template })}
          />
        </div>
      )}
    </>
  );
}
