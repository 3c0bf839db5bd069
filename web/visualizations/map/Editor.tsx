import { isGone, isTileUrl, noTileUrl, storedTileUrl, tileSourceOf } from '@telltale/domain/visualizations/map-tiles.ts';
import { Tabs } from 'antd';
import type { EditorProps } from '../define.ts';
import { ColorPicker } from '../editor/ColorPicker.tsx';
import { CheckField, ColorField, ColumnField, Fields, SelectField, TextField } from '../editor/fields.tsx';
import { BoundsNote } from '../geo/BoundsNote.tsx';
import { WordsFields } from '../geo/WordsFields.tsx';
import { glyphNames } from './glyphs.ts';
import styles from './Map.module.css';
import { mapModel } from './mapModel.ts';
import { hasGround, hasIcon, type IconShape, iconShapes, type MapOptions } from './mapOptions.ts';

type Props = EditorProps<MapOptions>;

/** visualizations 11. */
export default function MapEditor(props: Props) {
  return (
    <Tabs
      items={[
        { key: 'general', label: 'General', children: <General {...props} /> },
        { key: 'groups', label: 'Groups', children: <Groups {...props} /> },
        { key: 'format', label: 'Format', children: <Format {...props} /> },
        { key: 'style', label: 'Style', children: <Style {...props} /> },
      ]}
    />
  );
}

function General({ table: { columns }, options, onOptionsChange }: Props) {
  const { latColName, lonColName, classify } = options;
  // A column can be used once.
  const without = (...used: (string | null)[]) => columns.filter(({ name }) => !used.includes(name));
  return (
    <Fields>
      <ColumnField
        label="Latitude Column Name"
        value={latColName}
        columns={without(lonColName, classify)}
        onChange={(name) => onOptionsChange({ latColName: name ?? '' })}
      />
      <ColumnField
        label="Longitude Column Name"
        value={lonColName}
        columns={without(latColName, classify)}
        onChange={(name) => onOptionsChange({ lonColName: name ?? '' })}
      />
      <ColumnField
        label="Group By"
        value={classify}
        none="none"
        columns={without(latColName, lonColName)}
        onChange={(name) => onOptionsChange({ classify: name || null })}
      />
      <BoundsNote isStored={options.bounds !== null} onReset={() => onOptionsChange({ bounds: null })} />
    </Fields>
  );
}

function Groups({ table, options, onOptionsChange }: Props) {
  const { groups } = mapModel(table, options);
  if (options.classify === null)
    return <p className={styles.help}>Choose a column to group by, and every group has a colour of its own.</p>;
  const setColor = (name: string, color: string | null) => {
    const before = Object.hasOwn(options.groups, name) ? options.groups[name] : {};
    const changed = { ...before, color: color ?? undefined };
    onOptionsChange({ groups: { ...options.groups, [name]: color === null ? withoutColor(changed) : changed } });
  };
  return (
    <ul className={styles.groupList}>
      {groups.map(({ name, color }) => (
        <li key={name}>
          <ColorPicker
            label={`Color of ${name}`}
            value={(Object.hasOwn(options.groups, name) && options.groups[name]?.color) || null}
            automatic={color}
            onChange={(chosen) => setColor(name, chosen)}
          />
          <span>{name || '(empty)'}</span>
        </li>
      ))}
    </ul>
  );
}

const withoutColor = ({ color: _, ...rest }: MapOptions['groups'][string]) => rest;

function Format({ options: { tooltip, popup }, onOptionsChange }: Props) {
  const hint = 'Columns as {{ column_name }}; HTML is sanitised.';
  return (
    <Fields>
      <WordsFields
        words={tooltip}
        showLabel="Show tooltip"
        templateLabel="Tooltip template"
        note={hint}
        onChange={(next) => onOptionsChange({ tooltip: next })}
      />
      <WordsFields
        words={popup}
        showLabel="Show popup"
        templateLabel="Popup template"
        note={hint}
        onChange={(next) => onOptionsChange({ popup: next })}
      />
    </Fields>
  );
}

function Style({ options, settings, onOptionsChange }: Props) {
  const { classify, clusterMarkers, customizeMarkers, iconShape, iconFont, foregroundColor, backgroundColor, borderColor } = options;
  const isGrouped = classify !== null;
  const isCustom = customizeMarkers && !isGrouped;
  const knownIcons = glyphNames.includes(iconFont) ? glyphNames : [iconFont, ...glyphNames];
  return (
    <Fields>
      <Tiles {...{ options, settings, onOptionsChange }} />
      <CheckField label="Cluster Markers" value={clusterMarkers} onChange={(value) => onOptionsChange({ clusterMarkers: value })} />
      <CheckField
        label="Override default style"
        value={customizeMarkers}
        isDisabled={isGrouped}
        onChange={(value) => onOptionsChange({ customizeMarkers: value })}
      />
      {isCustom && (
        <>
          <SelectField<IconShape>
            label="Shape"
            value={iconShape}
            options={(Object.keys(iconShapes) as IconShape[]).map((value) => ({ value, label: iconShapes[value] }))}
            onChange={(value) => onOptionsChange({ iconShape: value })}
          />
          {hasIcon(iconShape) && (
            <SelectField
              label="Icon"
              value={iconFont}
              options={knownIcons.map((value) => ({ value, label: value }))}
              onChange={(value) => onOptionsChange({ iconFont: value })}
            />
          )}
          {hasIcon(iconShape) && (
            <ColorField label="Icon Color" value={foregroundColor} onChange={(value) => onOptionsChange({ foregroundColor: value })} />
          )}
          {hasGround(iconShape) && (
            <ColorField
              label="Background Color"
              value={backgroundColor}
              onChange={(value) => onOptionsChange({ backgroundColor: value })}
            />
          )}
          <ColorField label="Border Color" value={borderColor} onChange={(value) => onOptionsChange({ borderColor: value })} />
        </>
      )}
    </Fields>
  );
}

const custom = 'custom';

/** Complaint 45: a source of the organisation, none, or an own address. */
function Tiles({ options: { mapTileUrl }, settings, onOptionsChange }: Pick<Props, 'options' | 'settings' | 'onOptionsChange'>) {
  const sources = settings.mapTiles ?? [];
  const drawn = tileSourceOf(mapTileUrl, sources);
  const isListed = drawn !== null && sources.includes(drawn);
  const hasNone = sources.length === 0;
  const value = hasNone || mapTileUrl === noTileUrl ? noTileUrl : isListed ? drawn.url : custom;
  const [first] = sources;
  const store = (url: string) => onOptionsChange({ mapTileUrl: url === first?.url ? storedTileUrl : url });
  return (
    <>
      <SelectField
        label="Map Tiles"
        value={value}
        isDisabled={hasNone}
        note={hasNone ? 'The organisation has no map tiles: maps have a plain background.' : goneNote(mapTileUrl)}
        options={[
          ...sources.map(({ name, url }) => ({ value: url, label: name })),
          { value: noTileUrl, label: 'Plain background' },
          { value: custom, label: 'Custom address…' },
        ]}
        onChange={(next) => store(next === custom ? 'https://' : next)}
      />
      {value === custom && (
        <TextField
          label="Custom Tiles Address"
          value={mapTileUrl}
          placeholder="https://{s}.example.org/{z}/{x}/{y}.png"
          note={isTileUrl(mapTileUrl) ? undefined : 'The address needs {z}, {x} and {y}.'}
          onChange={(mapTileUrl) => onOptionsChange({ mapTileUrl })}
        />
      )}
    </>
  );
}

const goneNote = (url: string) =>
  isGone(url) ? 'The service that was chosen no longer exists; the first one is drawn instead.' : undefined;
