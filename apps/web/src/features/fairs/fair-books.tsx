import type { Fair, FairRanking } from '../../lib/api/api.ts'
import classes from './fairs.module.css'

/** The fair’s books, which add up exactly, and the secret of its bell. */
export function FairBooks({ fair, sum }: { fair: Fair; sum: FairRanking['sum'] }) {
  return (
    <details className={classes.books}>
      <summary>Check the books</summary>
      <p>
        {sum.stakes} SOL of stakes − {sum.fees} SOL of fees = {sum.standings} SOL of standings + {sum.dust} SOL of dust.
      </p>
      <p>
        SHA-256 of the bell’s secret, published before it began: <code>{fair.commit}</code>
      </p>
      {fair.secret !== null && (
        <p>
          The secret: <code>{fair.secret}</code>
        </p>
      )}
    </details>
  )
}
