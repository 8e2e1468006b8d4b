import { formatUsdHint } from '@papermoon/format'
import { Skeleton } from '../feedback/skeleton.tsx'
import { Sol } from './sol.tsx'

/** Shows a net worth in SOL and in dollars. `sol` is undefined while the net worth is loading. */
export function Worth({ sol }: { sol: string | undefined }) {
  return (
    <p className="one-line text-2xl heavy tight">
      {sol === undefined ? (
        <Skeleton width="9em" height="1em" />
      ) : (
        <>
          <Sol value={sol} hasUnit /> <span className="small inline-block regular">{formatUsdHint(sol)}</span>
        </>
      )}
    </p>
  )
}
