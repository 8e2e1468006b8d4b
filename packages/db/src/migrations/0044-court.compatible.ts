/**
 * Adds the court of a rugged token. The post of a witness stores how much the witness lost, and players who lost SOL
 * vote once (decision 036).
 */
export const statements = [
  'alter table posts add column lost numeric(38,18)',
  'alter table fairs.posts add column lost numeric(38,18)',
  // The id of a token shows its market.
  `create table court_votes (
    token_id integer not null,
    user_id integer not null references users (id),
    verdict text not null check (verdict in ('fair game', 'scoundrel')),
    weight numeric(38,18) not null check (weight > 0 and weight <= 5),
    created_at timestamptz(3) not null,
    primary key (token_id, user_id)
  )`,
  'create index court_votes_player on court_votes (user_id)',
]
