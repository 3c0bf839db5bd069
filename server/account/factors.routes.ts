import { factorsApi } from '@telltale/domain/users/factors-contract.ts';
import type { Http } from '../platform/http/http.ts';
import { addPasskey, passkeyOptions, readPasskeys, removePasskey, signInByPasskey, signInOptions } from './passkeys.ts';
import { anyone } from './replies.ts';
import { readTotp, removeTotp, saveTotp } from './totp.ts';

export function factorRoutes(http: Http): void {
  http.on(factorsApi.totp, (ctx, { params }) => readTotp(ctx, params.id));
  http.on(factorsApi.saveTotp, (ctx, { params, body }) => saveTotp(ctx, params.id, body));
  http.on(factorsApi.removeTotp, (ctx, { params, body }) => removeTotp(ctx, params.id, body));

  http.on(factorsApi.passkeys, (ctx, { params }) => readPasskeys(ctx, params.id));
  http.on(factorsApi.passkeyOptions, (ctx, { params, body }) => passkeyOptions(ctx, params.id, body.old_password));
  http.on(factorsApi.addPasskey, (ctx, { params, body }) => addPasskey(ctx, params.id, body.name, body.response));
  http.on(factorsApi.removePasskey, (ctx, { params }) => removePasskey(ctx, params.id, params.passkeyId));

  http.page(anyone('POST', '/passkey/options', 'What the browser needs to sign in by a passkey.'), async (ctx, _request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(await signInOptions(ctx))),
  );
  http.page(anyone('POST', '/passkey/login', 'Signs in by a passkey.'), async (ctx, request, reply) => {
    await signInByPasskey(ctx, request.body);
    return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send('{}');
  });
}
