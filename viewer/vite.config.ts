import { defineConfig } from "vitest/config";
import { viteSingleFile } from "vite-plugin-singlefile";

// One file, nothing beside it: it is opened from disk.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: { target: "es2022", chunkSizeWarningLimit: 2000, reportCompressedSize: false },
  test: { include: ["src/**/*.test.ts"] },
});
