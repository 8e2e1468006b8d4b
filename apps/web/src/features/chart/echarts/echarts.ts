import { CustomChart, LineChart, ScatterChart } from 'echarts/charts'
import { AxisPointerComponent, GridComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { registerBoxes } from './boxes-shape.ts'

// Register only what is used, to keep the rest out of the chunk.
echarts.use([AxisPointerComponent, CanvasRenderer, CustomChart, GridComponent, LineChart, ScatterChart])
registerBoxes()

export { echarts }
