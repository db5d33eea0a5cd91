import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node24',
  dts: false,
  inputOptions: { resolve: { conditionNames: ['@x/source', 'node', 'import', 'module', 'default'] } },
  // Everything goes into the bundle (it more than halves the start), but ripgrep's binary, which must stay a package.
  deps: { alwaysBundle: /^(?!@vscode\/ripgrep)/, neverBundle: ['@vscode/ripgrep'] },
})
