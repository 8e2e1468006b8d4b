import { chapters } from 'virtual:guide'
import type { SlotName } from '@papermoon/guide'
import { type ReactNode, useMemo, useState } from 'react'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { Confirmation } from '../../components/form/confirmation.tsx'
import { SecretStub } from '../../components/form/secret-stub.tsx'
import { ChapterPage } from '../../components/layout/chapter-page.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { Themed } from '../../components/layout/themed.tsx'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { useTitle } from '../../lib/hooks/use-title.ts'
import { BotPanel } from './bot-panel.tsx'
import { StreamConsole } from './console/stream-console.tsx'
import { FillingProvider } from './filling.ts'
import { GuideBlock } from './guide-block.tsx'
import { KeyList } from './keys/key-list.tsx'
import { NewKeyForm } from './keys/new-key-form.tsx'
import { Limits } from './limits.tsx'

const Webhooks = lazyPart(
  () => import('./webhooks/webhooks.tsx'),
  'Webhooks',
  <Panel title="Your webhooks" level={3}>
    {/* Use a placeholder that is about as tall as the form. */}
    <Skeleton height={500} />
  </Panel>,
)

/** The guide for people who write programs. A key that is created here exists only in this component's memory. */
export function DevelopersScreen() {
  const isPlayer = useCurrentUser() !== null
  const [made, setMade] = useState<MadeKey | null>(null)
  const filling = useMemo(() => ({ url: window.location.origin, key: made?.key }), [made])
  useTitle('Developers')
  const slots: Readonly<Record<SlotName, ReactNode>> = {
    key: isPlayer ? <KeySlot made={made} onMade={setMade} /> : <GuestNote />,
    bot: isPlayer && (
      <div className="my-l">
        <BotPanel />
      </div>
    ),
    webhooks: isPlayer && (
      <div className="my-l">
        <Webhooks />
        <Confirmation />
      </div>
    ),
    limits: <Limits />,
    console: <StreamConsole />,
  }
  return (
    <FillingProvider value={filling}>
      <Themed>
        <ChapterPage
          title="Developers"
          lead="Write a bot or your own chart. All code on this page is ready to run on this site with play money."
          chapters={chapters.map(({ id, title, blocks }) => ({
            id,
            title,
            content: blocks.map((block, index) => <GuideBlock key={`${id}-${index}`} block={block} slots={slots} />),
          }))}
          reference={{ href: '/api/reference', title: 'Reference' }}
          wide
        />
      </Themed>
    </FillingProvider>
  )
}

interface MadeKey {
  readonly name: string
  readonly key: string
}

interface KeySlotProps {
  readonly made: MadeKey | null
  readonly onMade: (made: MadeKey | null) => void
}

/** Lets a player create an API key, which then appears in the guide's code, and lists the player's keys. */
function KeySlot({ made, onMade }: KeySlotProps) {
  const [isBack, setBack] = useState(false)
  const forget = () => {
    onMade(null)
    setBack(true)
  }
  return (
    <section className="card my-l stack gap-l text-m pretty" aria-label="API keys">
      {made === null ? (
        <>
          <p className="dim">
            A key that you create here appears in all code on this page until you leave the page. You can have at most
            ten keys.
          </p>
          <NewKeyForm isBack={isBack} onMade={onMade} />
        </>
      ) : (
        <SecretStub
          label={`New key: ${made.name}`}
          title={made.name}
          note="Your key is in all code on this page until you leave. Copy the key now, because we show it only once."
          text={made.key}
          copied={['API key copied to clipboard', 'Please select the key and copy it.']}
          copyLabel="Copy key"
          doneLabel="Remove the key from the code"
          onDone={forget}
        />
      )}
      <KeyList />
    </section>
  )
}

/** A button that sends a guest to registration and then back to this page. */
function GuestNote() {
  const back = { authTab: 'register', returnTo: '/developers' } as const
  return (
    <section className="card my-l stack gap-l text-m pretty" aria-label="API keys">
      <p className="dim">
        You need an account to create a key. Registering takes half a minute and needs no confirmation email. You then
        return to this page with 100 SOL.
      </p>
      <div className="acts">
        <ButtonLink to="/auth" state={back}>
          Register and return here
        </ButtonLink>
        <ButtonLink to="/auth" state={{ ...back, authTab: 'login' }} look="quiet">
          Log in and return here
        </ButtonLink>
      </div>
    </section>
  )
}
