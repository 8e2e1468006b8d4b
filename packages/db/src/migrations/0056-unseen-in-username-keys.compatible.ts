/** Variation selectors, which usernames could contain until this version. */
const SELECTORS = String.raw`'[\u180B-\u180F\uFE00-\uFE0F\U000E0100-\U000E01EF]'`

/**
 * Treats usernames as look-alikes if only invisible characters differ, such as "☀" and "☀️". If two players have such
 * names, the later one keeps the old key, so that both can keep their names.
 */
export const statements = [
  `update users u set username_key = bare.key
   from (select id, key, row_number() over (partition by key order by id) as place
         from users, lateral (select regexp_replace(username_key, ${SELECTORS}, '', 'g')) k (key)
         where username_key ~ ${SELECTORS}) bare
   where u.id = bare.id and bare.place = 1 and not exists (select from users o where o.username_key = bare.key)`,
]
