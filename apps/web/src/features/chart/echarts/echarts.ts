import { BarChart, CandlestickChart, LineChart, ScatterChart } from 'echarts/charts'
import { AxisPointerComponent, GridComponent, MarkLineComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

// Only what is drawn: the rest stays out of the chunk.
echarts.use([
  AxisPointerComponent,
  BarChart,
  CandlestickChart,
  CanvasRenderer,
  GridComponent,
  LineChart,
  MarkLineComponent,
  ScatterChart,
])

export { echarts }
