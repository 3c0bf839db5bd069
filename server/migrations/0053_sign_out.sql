-- A session that an OpenID Connect provider began can be ended there as well; its identity token proves to the provider whose it is.
alter table console.sessions add column provider text check (provider in ('google', 'oidc'));
alter table console.sessions add column id_token_sealed bytea;
