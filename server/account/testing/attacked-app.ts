import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { fakeSmtp } from '../../testing/smtp.ts';
import { testApp } from '../../testing/test-app.ts';

export const site = 'https://console.example.com';

/** A console with a mail server, whose ways to sign in are attacked. */
export async function attackedApp() {
  const smtp = await fakeSmtp();
  const app = await testApp({
    env: { TELLTALE_ALLOW_PRIVATE: '127.0.0.0/8', SMTP_URL: smtp.url, PUBLIC_URL: site },
  });
  await app.startWorker();
  const admin = app.as(app.admin);
  return { app, smtp, admin, save: (body: object) => admin.get(organizationApi.saveSettings, { body }) };
}

export const form = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
