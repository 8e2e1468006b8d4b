const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
/** SQL for a number without trailing zeros. */
const figure = (column: string) => `trim_scale(${column})`
/** SQL for the SHA-256 of a text. */
export const sqlSha256 = (text: string) => `sha256(convert_to(${text}, 'UTF8'))`

/** SQL for the text to hash for a launch, from a row `token`. */
export const LAUNCH_TEXT = `concat_ws(' ', 'papermoon:1 launch', token.id, token.creator_id, ${figure('token.supply')},
  ${figure('token.launch_price')}, ${instant('token.created_at')}, to_json(token.name), to_json(token.symbol))`

/** SQL for the text to hash for a trade, from a row with the journal's columns. */
export const TRADE_TEXT = `concat_ws(' ', 'papermoon:1', side, token_id, seq, user_id, ${figure('sol_amount')}, ${figure('fee')},
  ${figure('token_amount')}, ${figure('price')}, ${figure('spot_price')}, ${figure('sol_reserve')},
  ${figure('token_reserve')}, ${instant('created_at')})`

const RUG_TEXT = `concat_ws(' ', 'papermoon:1 rug', token_id, seq, user_id, ${figure('amount')}, ${instant('created_at')})`

const BACKFILL = `do $$
  declare
    token record; entry record; head bytea;
  begin
    for token in select id, creator_id, supply, launch_price, created_at, name, symbol from tokens order by id loop
      head := ${sqlSha256(LAUNCH_TEXT)};
      for entry in select id, ${TRADE_TEXT} as text from trades where token_id = token.id order by seq loop
        head := ${sqlSha256("encode(head, 'hex') || E'\\n' || entry.text")};
        update trades set hash = head where id = entry.id;
      end loop;
      for entry in select ${RUG_TEXT} as text from rugs where token_id = token.id loop
        head := ${sqlSha256("encode(head, 'hex') || E'\\n' || entry.text")};
        update rugs set hash = head where token_id = token.id;
      end loop;
      update pools set chain_head = head where token_id = token.id;
    end loop;
  end $$`

/**
 * Makes the journal of each token a hash chain. Every trade and rug pull gets a hash of the previous hash and its own
 * fields, and the pool gets the last hash. The texts are the same as in `@papermoon/chain`. SQL repeats them, so that
 * existing journals are hashed in constant memory, one token and entry after another.
 */
export const statements = [
  'alter table trades add column hash bytea check (octet_length(hash) = 32)',
  'alter table rugs add column hash bytea check (octet_length(hash) = 32)',
  'alter table pools add column chain_head bytea check (octet_length(chain_head) = 32)',
  BACKFILL,
  // Trades of missing tokens must not prevent a server from starting, because the audit reports them.
  `update trades set hash = decode(repeat('00', 32), 'hex') where hash is null`,
  'alter table trades alter column hash set not null',
  'alter table rugs alter column hash set not null',
  'alter table pools alter column chain_head set not null',
]
