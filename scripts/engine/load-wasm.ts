import { registerHooks } from 'node:module';

/**
 * Lets Node import the engine: a `.wasm` import gives a compiled module, as it does in a Worker. Import this file for its
 * effect first, then what imports `.wasm` with `import()`.
 */
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.wasm')) return next(url, context);
    const source = `
      import { readFileSync } from 'node:fs';
      export default new WebAssembly.Module(readFileSync(new URL(${JSON.stringify(url)})));`;
    return { format: 'module', source, shortCircuit: true };
  },
});
