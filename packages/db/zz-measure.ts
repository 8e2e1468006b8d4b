import { sql } from '/work/wt/fairs-callers/packages/db/node_modules/kysely/dist/index.js'
import { connect } from '/work/wt/fairs-callers/packages/db/src/client.ts'
import { migrateToLatest } from '/work/wt/fairs-callers/packages/db/src/migrate.ts'
import { migrations } from '/work/wt/fairs-callers/packages/db/src/migrations.ts'
import { startTemporaryServer } from '/work/wt/fairs-callers/packages/db/src/testing/temporary-server.ts'
const server = await startTemporaryServer()
const { db, close } = connect(server.address, { poolMax: 1, statementTimeoutMs: 0 } as never)
try {
  await migrateToLatest(db, Object.fromEntries(Object.entries(migrations).filter(([n]) => n < '0040')))
  await sql`insert into users (username, username_key, email, email_key, wallet, password_hash)
      select n, n, n, n, n, n from (select n::text from generate_series(1, 1000000) n) k`.execute(db)
  await sql`insert into accounts (user_id, sol_balance) select id, 100 from users on conflict do nothing`.execute(db)
  await sql`insert into tokens (creator_id, name, symbol, emoji, supply, launch_price, launch_fee, created_at)
        select 1, n, n, 'M', 1, 1, 1, now() from generate_series(1, 100000) n`.execute(db)
  await sql`checkpoint`.execute(db)
  const began = performance.now()
  const names = await migrateToLatest(db)
  console.log(names, 'seconds', (performance.now() - began) / 1000)
} finally { await close(); await server.stop() }
