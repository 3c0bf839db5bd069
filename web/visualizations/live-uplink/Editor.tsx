import { Select } from 'antd';
import type { EditorProps } from '../define.ts';
import { Field } from '../editor/Field.tsx';
import { Fields, FormatField, NumberField } from '../editor/fields.tsx';
import { FollowedFields } from './FollowedFields.tsx';
import type { UplinkOptions } from './uplinkOptions.ts';

/** visualizations 18: channels and devices to choose from where they can be listed; ids can be typed in any case. */
export default function LiveUplinkEditor({ options, onOptionsChange }: EditorProps<UplinkOptions>) {
  return (
    <Fields>
      <FollowedFields channelid={options.channelid} device_ids={options.device_ids} onChange={onOptionsChange} />
      <Field label="Fields" note="Values to show, in this order; all when empty.">
        {(id) => (
          <Select
            id={id}
            mode="tags"
            tokenSeparators={[',']}
            placeholder="All"
            value={options.fields}
            onChange={(fields: string[]) => onOptionsChange({ fields })}
          />
        )}
      </Field>
      <NumberField
        label="Uplinks kept per device"
        value={options.maxItems}
        min={1}
        max={500}
        isWhole
        onChange={(maxItems) => onOptionsChange({ maxItems: maxItems ?? 50 })}
      />
      <FormatField
        label="Date/Time Format"
        kind="date"
        value={options.dateTimeFormat}
        onChange={(dateTimeFormat) => onOptionsChange({ dateTimeFormat })}
      />
    </Fields>
  );
}
