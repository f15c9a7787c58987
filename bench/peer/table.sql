create extension pg_trgm;

-- Texts are compared in their folded form.
create table users (
  id bigint primary key,
  name text, email text, age integer, firstname text, lastname text, status text, country text,
  fold_name text, fold_email text, fold_firstname text, fold_lastname text,
  -- All texts in which words are looked for, without case and accents.
  words text
);

-- The first id of a day.
create function id_at(day date) returns bigint immutable language sql
  return (day - date '2020-01-01') * 86400000::bigint * 4096;
