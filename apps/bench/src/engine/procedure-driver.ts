import { connect } from '@papermoon/db'
import { driveOnDemand } from './drive-on-demand.ts'

/** The stored procedure, called once a trade: the baseline where there is no pgbench. */
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
