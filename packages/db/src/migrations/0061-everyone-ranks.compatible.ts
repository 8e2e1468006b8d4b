/** In rooms that open after this migration, everyone is ranked. Rooms that have already begun keep the earlier rule. */
export const statements = [
  'alter table fairs add column everyone_ranks boolean not null default false',
  "update fairs set everyone_ranks = true where kind = 'room' and state = 'lobby'",
]
