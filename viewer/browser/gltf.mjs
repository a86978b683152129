// Holds files against Khronos' validator: no error, no warning.
//   node browser/gltf.mjs FILE.glb...
import { readFileSync } from "node:fs";
import validator from "gltf-validator";

let wrong = 0;
for (const file of process.argv.slice(2)) {
  const { issues, info } = await validator.validateBytes(new Uint8Array(readFileSync(file)), { maxIssues: 20 });
  console.log(
    `${file}: ${issues.numErrors} errors, ${issues.numWarnings} warnings, ${issues.numInfos} notes; ` +
      `${info.totalTriangleCount} triangles, ${info.materialCount} materials, ${info.animationCount} animations`,
  );
  if (issues.numErrors + issues.numWarnings === 0) continue;
  wrong++;
  for (const m of issues.messages.filter((m) => m.severity < 2)) console.log(`  ${m.code} ${m.pointer}: ${m.message}`);
}
if (wrong || process.argv.length < 3) process.exit(1);
