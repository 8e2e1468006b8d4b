/**
 * Adds quick arenas (one at a time per player), one rematch per room, and medals of paper. Each result gets the
 * player's rating before and after it. Results from earlier builds have neither of these ratings.
 */
export const statements = [
  `alter table fairs
    add column is_quick boolean not null default false,
    add column rematch_of integer references fairs (id)`,
  "create unique index fairs_quick on fairs (host_id) where is_quick and state in ('lobby', 'open')",
  "create unique index fairs_rematch on fairs (rematch_of) where rematch_of is not null and state <> 'void'",
  `alter table fair_results
    add column is_paper boolean not null default false,
    add column rating_before double precision,
    add column rating_after double precision`,
]
