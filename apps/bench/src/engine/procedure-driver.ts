import { connect } from '@papermoon/db'
import { driveOnDemand } from './drive-on-demand.ts'

/** Calls the stored procedure once per trade: the baseline on machines without pgbench. */
driveOnDemand((address) => {
  const { pool } = connect(address, { poolMax: 8, applicationName: 'papermoon-bench' })
  return async ({ userId, tokenId, held }) => {
    await pool.query({
      name: 'trade',
      text: 'select baseline.trade($1, $2, $3)',
      values: [tokenId, userId, held === null ? 0 : 1],
    })
    return held === null ? 'all' : null
  }
})
