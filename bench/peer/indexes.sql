-- An index for each field: of all users, of those of a status, and of those of a country.
create index on users (fold_name, id);
create index on users (status, fold_name, id);
create index on users (country, fold_name, id);
create index on users (fold_email, id);
create index on users (status, fold_email, id);
create index on users (country, fold_email, id);
create index on users (age, id);
create index on users (status, age, id);
create index on users (country, age, id);
create index on users (fold_firstname, id);
create index on users (status, fold_firstname, id);
create index on users (country, fold_firstname, id);
create index on users (fold_lastname, id);
create index on users (status, fold_lastname, id);
create index on users (country, fold_lastname, id);
create index on users (status, id);
create index on users (country, id);
create index on users (status, country, id);

-- And one for parts of last names, and one for words.
create index on users using gin (fold_lastname gin_trgm_ops);
create index on users using gin (words gin_trgm_ops);
