/** A binary that the bundler compiles: Workers cannot compile from bytes. */
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
