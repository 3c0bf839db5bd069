import type { ClientConfig } from '@telltale/domain/organization/client-config.ts';
import { otherLogins } from '@telltale/domain/organization/logins.ts';
import { dateFormats, pageSizes, timeFormats, weekStartDays } from '@telltale/domain/organization/settings.ts';
import type { Ctx } from '../platform/context.ts';
import { may } from '../policy/policy.ts';
import { version } from '../version.ts';
import { getOrganization, getSettings } from './organizations.ts';

const withOwn = (list: readonly string[], own: string) => (list.includes(own) ? [...list] : [...list, own]);

/** Q3 and server-behaviour 6; facts for signed-in users only are left out for others. */
export async function clientConfig(ctx: Ctx): Promise<{ org_slug: string; client_config: ClientConfig }> {
  const { slug } = await getOrganization(ctx);
  const settings = await getSettings(ctx);
  const logins = otherLogins(settings);
  const { identity } = ctx;
  const isPerson = identity.kind === 'user';
  const asksConsent = isPerson && settings.beacon_consent === null && may(identity, 'administer', 'organization');
  return {
    org_slug: slug,
    client_config: {
      ...(isPerson ? { version, newVersionAvailable: false } : {}),
      ...(asksConsent ? { showBeaconConsentMessage: true } : {}),
      allowScriptsInUserInput: false,
      showPermissionsControl: settings.feature_show_permissions_control,
      hidePlotlyModeBar: settings.hide_plotly_mode_bar,
      disablePublicUrls: settings.disable_public_urls,
      disableFullscreen: settings.disable_fullscreen,
      multiByteSearchEnabled: settings.multi_byte_search_enabled,
      // Script from users never runs here (security 13).
      allowCustomJSVisualizations: false,
      autoPublishNamedQueries: true,
      extendedAlertOptions: false,
      mailSettingsMissing: !ctx.mail.isConfigured,
      googleLoginEnabled: logins.google,
      ldapLoginEnabled: logins.ldap,
      oidcLoginEnabled: logins.oidc,
      samlLoginEnabled: logins.saml,
      passwordLoginEnabled: settings.auth_password_login_enabled,
      dashboardRefreshIntervals: settings.dashboard_refresh_intervals,
      queryRefreshIntervals: settings.query_refresh_intervals,
      pageSize: 20,
      pageSizeOptions: [...pageSizes],
      tableCellMaxJSONSize: 50_000,
      basePath: `${ctx.config.publicUrl ?? ctx.request.origin}/`,
      helpUrl: ctx.config.helpUrl ?? '/help/index.html',
      timeZone: settings.time_zone,
      weekStart: weekStartDays[settings.week_start],
      dateFormat: settings.date_format,
      dateTimeFormat: `${settings.date_format} ${settings.time_format}`,
      dateFormatList: withOwn(dateFormats, settings.date_format),
      timeFormatList: withOwn(timeFormats, settings.time_format),
      integerFormat: settings.integer_format,
      floatFormat: settings.float_format,
      thousandsSeparator: settings.thousands_separator,
      decimalSeparator: settings.decimal_separator,
      nullValue: settings.null_value,
      widgetTitleLength: settings.widget_title_length,
      mapTiles: settings.map_tiles,
    },
  };
}
