import type { Extent } from '../geo/position.ts';
import type { MapType } from './shapes.ts';

export interface MapTypeInfo {
  name: string;
  /** The fields of a shape that the key column can match; the first ones are tried first. */
  fields: Readonly<Record<string, string>>;
  /** The default text of a popup. */
  popup: string;
  /** The first view: distant islands that would make everything else small are outside of it. */
  view: Extent;
}

/** visualizations 10. */
export const countriesPopup = 'Country: <b>{{ @@name_long }} ({{ @@iso_a2 }})</b>\n<br>\nValue: <b>{{ @@value }}</b>';

export const mapTypes: Readonly<Record<MapType, MapTypeInfo>> = {
  countries: {
    name: 'Countries',
    fields: {
      name: 'Short name',
      name_long: 'Full name',
      abbrev: 'Abbreviated name',
      iso_a2: 'ISO code (2 letters)',
      iso_a3: 'ISO code (3 letters)',
      iso_n3: 'ISO code (3 digits)',
    },
    popup: countriesPopup,
    view: { south: -56, west: -170, north: 79, east: 190 },
  },
  subdiv_japan: {
    name: 'Japan/Prefectures',
    fields: {
      name: 'Name',
      name_alt: 'Name (alternative)',
      name_local: 'Name (local)',
      iso_3166_2: 'ISO-3166-2',
      postal: 'Postal Code',
      type: 'Type',
      type_en: 'Type (EN)',
      region: 'Region',
      region_code: 'Region Code',
    },
    popup: 'Prefecture: <b>{{ @@name }} ({{ @@name_local }})</b>\n<br>\nValue: <b>{{ @@value }}</b>',
    view: { south: 25.8, west: 126.5, north: 45.7, east: 146.5 },
  },
  usa: {
    name: 'USA',
    fields: {
      name: 'Name',
      usps_abbrev: 'USPS Abbreviation',
      ns_code: 'National Standard ANSI Code (8-character)',
      geoid: 'Geographic ID',
      fips_code: 'FIPS Code (2-character)',
    },
    popup: 'State: <b>{{ @@name }} ({{ @@usps_abbrev }})</b>\n<br>\nValue: <b>{{ @@value }}</b>',
    view: { south: 18.5, west: -169, north: 68, east: -66 },
  },
};

/** Replaces the default template of countries, whose fields prefectures do not have. */
export const popupTemplate = (template: string, type: MapType): string =>
  template === countriesPopup || template.trim() === '' ? mapTypes[type].popup : template;
