import { FetchFailed } from '../../../components/feedback/fetch-failed.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Button } from '../../../components/form/button.tsx'
import classes from '../chart-card.module.css'
import type { ChartData } from '../data/use-chart-data.ts'
import { ChartPicture, type ChartPictureProps, Waiting } from '../static/chart-picture.tsx'

interface ChartDrawingProps extends Omit<ChartPictureProps, 'ticks'> {
  readonly data: ChartData
  readonly hasTrades: boolean
  /** Whether the plot's size is known. */
  readonly isMeasured: boolean
  readonly onAll: () => void
}

/** The chart, or its loading, empty or failed state. */
export function ChartDrawing({ data, hasTrades, isMeasured, onAll, ...picture }: ChartDrawingProps) {
  const { failure, chart } = data
  if (failure !== null) return <ChartFailed error={failure.error} onRetry={failure.retry} />
  if (!hasTrades) return <NoTrades />
  if (chart === undefined || !isMeasured) return <Waiting />
  const drawn = picture.view === 'ticks' ? chart.ticks : data.slots
  if (drawn.length === 0) return <QuietTimes onAll={onAll} />
  return <ChartPicture ticks={chart.ticks} {...picture} />
}

function NoTrades() {
  return (
    <div className={classes.empty}>
      <Notice level={3} emoji="🌒" title="No Trades Yet">
        Make the first trade to see the market cap grow!
      </Notice>
    </div>
  )
}

function QuietTimes({ onAll }: { onAll: () => void }) {
  return (
    <div className={classes.empty}>
      <Notice
        level={3}
        emoji="😴"
        title="Nobody traded in this time"
        action={
          <Button look="quiet" onClick={onAll}>
            Show all
          </Button>
        }
      />
    </div>
  )
}

function ChartFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className={classes.empty}>
      <FetchFailed level={3} title="The chart is out of reach" error={error} onRetry={onRetry} />
    </div>
  )
}
