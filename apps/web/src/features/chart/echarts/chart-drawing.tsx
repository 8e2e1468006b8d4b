import { FetchFailed } from '../../../components/feedback/fetch-failed.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Button } from '../../../components/form/button.tsx'
import classes from '../chart-card.module.css'
import type { ChartData } from '../data/use-chart-data.ts'
import { ChartPicture, type ChartPictureProps, Waiting } from '../static/chart-picture.tsx'

interface ChartDrawingProps extends Omit<ChartPictureProps, 'slots' | 'marks' | 'marked' | 'ticks' | 'size'> {
  readonly data: ChartData
  readonly hasTrades: boolean
  /** Null until measured. */
  readonly size: ChartPictureProps['size'] | null
  readonly onAll: () => void
}

/** The chart, or its loading, empty or failed state. */
export function ChartDrawing({ data, hasTrades, size, onAll, ...picture }: ChartDrawingProps) {
  const { failure, chart, slots, marks, marked } = data
  if (failure !== null) return <ChartFailed error={failure.error} onRetry={failure.retry} />
  if (!hasTrades) return <NoTrades />
  if (chart === undefined || size === null) return <Waiting />
  const drawn = picture.view === 'ticks' ? chart.ticks : slots
  if (drawn.length === 0) return <QuietTimes onAll={onAll} />
  return <ChartPicture slots={slots} marks={marks} marked={marked} ticks={chart.ticks} size={size} {...picture} />
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
