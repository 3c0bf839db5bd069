import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { fakeSmtp } from '../../testing/smtp.ts';
import { testApp } from '../../testing/test-app.ts';

export const site = 'https://console.example.com';
export const smtp = await fakeSmtp();
export const app = await testApp({
  env: { TELLTALE_ALLOW_PRIVATE: '127.0.0.0/8', SMTP_URL: smtp.url, PUBLIC_URL: site },
});
await app.startWorker();
export const admin = app.as(app.admin);
export const save = (body: object) => admin.get(organizationApi.saveSettings, { body });
export const form = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
