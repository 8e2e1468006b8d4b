/**
 * Gives each rug pull a position among the trades, from the same sequence. With these positions, a single number says
 * how far a listener has read the market. Earlier rug pulls have no position, because all cursors are newer than this
 * migration. PostgreSQL does not rewrite the table, because the column has no default.
 */
export const statements = [
  'alter table rugs add column position bigint',
  `alter table rugs alter column position set default nextval('trades_id_seq')`,
  'create unique index rugs_position on rugs (position) where position is not null',
]
