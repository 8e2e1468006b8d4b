import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Ago } from '../../components/figures/moment.tsx'
import { Button } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import type { AuditSummary } from '../../lib/api/api.ts'
import { counted } from '../../lib/format/counted.ts'
import { copyWithToast } from '../../lib/ui/copy-text.ts'
import { CompareCopyForm } from './compare-copy-form.tsx'
import { Facts } from './facts.tsx'
import { hourText } from './published-hashes.ts'

const ADDRESS = '/api/audit/heads?limit=10000'

/** Shows the last hashes of all chains. The server publishes them each hour, so that others can store a copy. */
export function HeadsPanel({ summary, isFailed }: { summary: AuditSummary | undefined; isFailed: boolean }) {
  return (
    <Panel title="Keep your own copy of our hashes">
      <p className="dim prose pretty">
        Each hour we publish the last hash of every chain, called its head, at a fixed URL. We could rewrite history and
        recompute every hash, but we cannot change your copy. Save a copy, and compare it with ours at any time.
      </p>
      {summary === undefined ? (
        isFailed ? (
          <p className="dim prose pretty">We couldn’t load the latest published copy.</p>
        ) : (
          <Skeleton width="70%" height="3.2em" />
        )
      ) : summary.heads === null ? (
        <p className="dim prose pretty">
          We have not published any hashes yet. We will publish the first ones within the hour.
        </p>
      ) : (
        <Publication heads={summary.heads} />
      )}
      <KeepLine />
      <CompareCopyForm />
    </Panel>
  )
}

function Publication({ heads }: { heads: NonNullable<AuditSummary['heads']> }) {
  const latest = (
    <>
      <a href={ADDRESS} className="link">
        {hourText(heads.hour)}
      </a>
      , {counted(heads.tokens, 'head')}, <Ago time={heads.publishedAt} />
    </>
  )
  return (
    <>
      <Facts rows={[['Latest copy', latest]]} />
      <details>
        <summary className="py-s dim hover-ink">Digest of the latest copy</summary>
        <p className="mono text-s breaks">{heads.digest}</p>
      </details>
    </>
  )
}

function KeepLine() {
  const line = `curl -sS '${location.origin}${ADDRESS}' -o "heads-$(date -u +%Y-%m-%dT%H).json"`
  const copy = () =>
    copyWithToast(line, 'Command copied. Run it on your own computer.', 'Please select the command and copy it.')
  return (
    <div className="stack gap-xs fit">
      <span className="semibold">Keep a copy</span>
      <div className="row gap-m wrap">
        <code className="block p-s-m round-s on-sunken selectable mono text-s breaks grow-wrap">{line}</code>
        <Button look="quiet" onClick={() => void copy()} aria-label="Copy the command">
          Copy
        </Button>
      </div>
    </div>
  )
}
