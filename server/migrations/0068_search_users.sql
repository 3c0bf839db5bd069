-- The list of users is searched by name and e-mail as search everywhere does it: in the kept lower-case text, by trigrams where they can be had.
do $$
begin
  create extension if not exists pg_trgm;
  create index search_user_text on console.users using gin (search_text gin_trgm_ops);
exception when others then
  raise notice 'no trigram index: %', sqlerrm;
end $$;
