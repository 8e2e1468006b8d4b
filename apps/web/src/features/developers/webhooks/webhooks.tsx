import { useState } from 'react'
import { SecretStub } from '../../../components/form/secret-stub.tsx'
import { ManagedList } from '../../../components/layout/managed-list.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { trpc, type Webhook } from '../../../lib/api/api.ts'
import { NewWebhookForm } from './new-webhook-form.tsx'
import { type MadeSecret, WebhookRow } from './webhook-row.tsx'

interface Fresh {
  readonly title: string
  readonly secret: string
  readonly note: string
}

const SHOWN_ONCE = 'Copy the secret now and keep it safe, because we show it only once.'

export function Webhooks() {
  const [fresh, setFresh] = useState<Fresh | null>(null)
  const [isBack, setBack] = useState(false)
  const done = () => {
    setFresh(null)
    setBack(true)
  }
  return (
    <Panel title="Your webhooks" level={3}>
      <p className="dim pretty">
        We send events to your URL or Discord channel as soon as they happen. Your URL must first respond to a
        challenge. We sign each message.
      </p>
      {fresh === null ? (
        <NewWebhookForm
          isBack={isBack}
          onMade={({ host, secret }) =>
            setFresh({ title: `Secret for ${host}`, secret, note: `We sign messages with this secret. ${SHOWN_ONCE}` })
          }
        />
      ) : (
        <SecretStub
          label={fresh.title}
          title={fresh.title}
          note={fresh.note}
          text={fresh.secret}
          copied={['Secret copied to clipboard', 'Please select the secret and copy it.']}
          doneLabel="Done"
          onDone={done}
        />
      )}
      <WebhookList
        onSecret={({ host, secret }) =>
          setFresh({
            title: `New secret for ${host}`,
            secret,
            note: `For one day, we also sign messages with the old secret. ${SHOWN_ONCE}`,
          })
        }
      />
    </Panel>
  )
}

const LOOK_MS = 15_000
/** Time between two reads of the list while a change is expected, in ms. */
const LOOK_SOON_MS = 2_000
/** Max time that a test takes, in ms. */
const TEST_MS = 20_000

function WebhookList({ onSecret }: { onSecret: (made: MadeSecret) => void }) {
  const [testedMs, setTestedMs] = useState(Number.NEGATIVE_INFINITY)
  const hooks = trpc.webhooks.list.useQuery(undefined, {
    refetchInterval: ({ state }) =>
      performance.now() - testedMs < TEST_MS ? LOOK_SOON_MS : chooseInterval(state.data),
  })
  return (
    <ManagedList label="Your webhooks" query={hooks} none="You have no webhooks yet. Add a webhook above.">
      {(webhook) => (
        <WebhookRow
          key={webhook.id}
          webhook={webhook}
          onSecret={onSecret}
          onTested={() => setTestedMs(performance.now())}
        />
      )}
    </ManagedList>
  )
}

function chooseInterval(webhooks: readonly Webhook[] | undefined): number {
  return webhooks?.some(({ status }) => status !== 'active') ? LOOK_SOON_MS : LOOK_MS
}
