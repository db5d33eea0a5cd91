import * as fc from 'fast-check'

// A change is judged by the same examples each time: one that fails, fails again. To look for new examples, give another seed.
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 17) })
