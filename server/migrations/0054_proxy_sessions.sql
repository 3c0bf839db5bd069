-- A session may have been begun by the signed token of a proxy in front; it is valid only together with such a token.
alter table console.sessions drop constraint sessions_provider_check;
alter table console.sessions add constraint sessions_provider_check check (provider in ('google', 'oidc', 'jwt'));
