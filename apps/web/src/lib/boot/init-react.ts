// This file is a separate chunk (see build/first-chunks.ts), so React initializes in its own task, before the app's
// task.
import 'react-dom/client'
