import { useState } from 'react'
import { NotFoundScreen } from '../../components/feedback/error-screen.tsx'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { Confirmation } from '../../components/form/confirmation.tsx'
import { Segmented } from '../../components/form/segmented.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Themed } from '../../components/layout/themed.tsx'
import { trpc } from '../../lib/api/api.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import classes from './admin.module.css'
import { Appeals } from './appeals.tsx'
import { Cases } from './cases.tsx'
import { ModerationLog } from './moderation-log.tsx'
import { Players } from './players.tsx'
import { ConfirmFirst } from './records.tsx'
import { AnnouncementForm, Fairs, Health, SettingsInForce, Tokens, Words } from './things.tsx'

const PAGES = ['Cases', 'Players', 'Tokens', 'Health', 'Announcement', 'Fairs', 'Words', 'Log', 'Settings'] as const
/** Number of tabs that moderators can see. */
const MODERATORS = 3
const ONCE = { retry: false, staleTime: 0 }

/** The moderation screen for moderators and operators. Other visitors see "Page not found". */
export function AdminScreen() {
  const me = trpc.admin.me.useQuery(undefined, ONCE)
  const [page, setPage] = useState<(typeof PAGES)[number]>('Cases')
  const isOperator = me.data?.role === 'operator'
  useTitle(me.data === undefined ? 'Page not found' : 'Moderation')
  return (
    <Fetched
      level={1}
      query={me}
      failure="Could not load this page"
      skeleton={<Skeleton height={320} />}
      instead={{
        NOT_FOUND: <NotFoundScreen />,
        NOT_SIGNED_IN: <NotFoundScreen />,
        SECOND_FACTOR_OFF: <NoSecondFactor />,
        CONFIRMATION_NEEDED: <ConfirmFirst refetch={me.refetch} />,
      }}
    >
      {() => (
        <div className={`stack gap-l mx-auto ${classes.screen}`}>
          <PageHead title="Moderation" lead="Keyboard shortcuts work outside text fields." />
          <Segmented
            label="Moderation pages"
            value={page}
            onChange={setPage}
            options={(isOperator ? PAGES : PAGES.slice(0, MODERATORS)).map((value) => ({ value, label: value }))}
          />
          <Themed>
            {page === 'Cases' && <Cases />}
            {page === 'Cases' && <Appeals />}
            {page === 'Players' && <Players isOperator={isOperator} />}
            {page === 'Tokens' && <Tokens />}
            {page === 'Health' && <Health />}
            {page === 'Announcement' && <AnnouncementForm />}
            {page === 'Fairs' && <Fairs />}
            {page === 'Words' && <Words />}
            {page === 'Settings' && <SettingsInForce />}
            {page === 'Log' && <ModerationLog />}
          </Themed>
          <Confirmation />
        </div>
      )}
    </Fetched>
  )
}

function NoSecondFactor() {
  return (
    <Notice
      level={1}
      emoji="🔑"
      title="Add a second factor first"
      action={<ButtonLink to="/settings">Settings</ButtonLink>}
    >
      Moderators need an authenticator app or a passkey. Add one in Settings, then ask an operator to give you the role
      again.
    </Notice>
  )
}
