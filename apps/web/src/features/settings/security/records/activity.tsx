import { Fetched } from '../../../../components/feedback/fetched.tsx'
import { Skeleton } from '../../../../components/feedback/skeleton.tsx'
import { Ago } from '../../../../components/figures/moment.tsx'
import { Button } from '../../../../components/form/button.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { type AccountEvent, trpc } from '../../../../lib/api/api.ts'
import { eventText } from './event-text.ts'

const PAGE = 10

export function Activity() {
  const events = trpc.account.events.useInfiniteQuery(
    { limit: PAGE },
    { getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined, refetchOnMount: 'always' },
  )
  return (
    <Panel title="Account activity">
      <p className="dim pretty">
        This happened in your account in the last 90 days. If you do not recognize something, change your password, end
        unknown sessions and revoke unknown keys.
      </p>
      <Fetched
        query={events}
        failure="Could not load your activity"
        skeleton={<Skeleton label="Loading your activity" height={188} />}
      >
        {({ pages }) => (
          <ol className="torn-top ruled" aria-label="Account activity">
            {pages
              .flatMap((page) => page.events)
              .map((event) => (
                <EventRow key={event.id} event={event} />
              ))}
          </ol>
        )}
      </Fetched>
      {events.hasNextPage && (
        <Button look="quiet" disabled={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
          {events.isFetchingNextPage ? 'Loading...' : 'Show more'}
        </Button>
      )}
    </Panel>
  )
}

function EventRow({ event }: { event: AccountEvent }) {
  const { sentence, isAlarming } = eventText(event)
  const where = [event.browser, event.address].filter((part) => part !== null).join(' · ')
  return (
    <li className="py-s grid gap-x-l baseline row-high cols-wide-fit">
      <span className={`bold breaks ${isAlarming ? 'alarm' : ''}`}>{sentence}</span>
      <span className="small">
        <Ago time={event.at} />
      </span>
      <span className="small breaks all-cols">{where === '' ? 'The operator or the server' : where}</span>
    </li>
  )
}
