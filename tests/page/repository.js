// Repositories made on the spot, and the program run on them.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const PROGRAM = process.env.CLAIM_AUDIT ?? join(ROOT, "target/debug/claim-audit");

function git(folder, args, at) {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@example.org",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@example.org",
    ...(at && { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at }),
  };
  execFileSync("git", args, { cwd: folder, env, stdio: "pipe" });
}

/** A repository with these commits: `{ at, message, files: { path: text } }`. */
export function repository(folder, commits) {
  mkdirSync(folder, { recursive: true });
  git(folder, ["init", "--quiet", "--initial-branch=main"]);
  for (const { at, message, files } of commits) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    git(folder, ["add", "--all"]);
    git(folder, ["commit", "--quiet", "--allow-empty", "--message", message], at);
  }
  return folder;
}

/** Audits a repository into a page; gives its path and what the JSON report says of the same. */
export function audited(folder, file, args = []) {
  const run = (more) => {
    const done = spawnSync(PROGRAM, ["--fail-on", "never", ...args, ...more], {
      cwd: folder,
      env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" },
      maxBuffer: 1 << 28,
      encoding: "utf8",
    });
    if (done.status !== 0) throw new Error(`${PROGRAM}: ${done.error ?? done.stderr}`);
    return done.stdout;
  };
  run(["--format", "html", "--output", file]);
  return { file, report: JSON.parse(run(["--format", "json"])) };
}

const PITFALLS = `# Pitfalls

- Never set \`KESTREL_ALLOC=growable\`: it crashes with an illegal memory access while loading.
- Do not set \`KESTREL_TRACE=1\` while measuring: it slows decoding and the numbers are too low.
`;

/** Ten documents with two hundred results each, made on forty days; pitfalls; a retest. */
export function large(folder) {
  const commits = [];
  const files = {};
  for (let day = 0; day < 40; day += 1) {
    const path = `results/box-${day % 10}.md`;
    const rows = [];
    for (let row = 0; row < 50; row += 1) {
      const cards = day * 50 + row + 2;
      const result = ["illegal memory access while loading", "works", `${cards / 4 + 10} tok/s decode`][row % 3];
      rows.push(`| ${cards} devices, batch ${row + 1} | ${result} |`);
    }
    const head = files[path] ?? `# Box ${day % 10}\n\n| Configuration | Result |\n|---|---|\n`;
    files[path] = `${head}${rows.join("\n")}\n`;
    const at = new Date(Date.UTC(2026, 2, 1 + day, 8)).toISOString();
    commits.push({ at, message: `Record day ${day}`, files: { [path]: files[path] } });
    if (day === 20) commits.push({ at, message: "Warn of two settings", files: { "PITFALLS.md": PITFALLS } });
    if (day === 30) {
      commits.push({ at, message: "Try again\n\nRetest: 2 devices, batch 1\n", files: {} });
    }
  }
  return repository(folder, commits);
}

export const EVIL =
  `<img src=x onerror="window.owned=1"><script>window.owned=2</script></code></details></main>` +
  `<style>*{display:none}</style><a href="javascript:window.owned=3">x</a><svg onload="window.owned=4">`;

/** A few results in English and Chinese, among them a text that would like to be markup. */
export function small(folder) {
  const results = `# Results

| Configuration | Result |
|---|---|
| 3 devices | illegal memory access while loading |
| 4 devices | works |
| 5 devices ${EVIL} | fails with an illegal memory access while loading |

We expect about 52 tok/s with eight devices. Others report that nine devices work.

## 结果

三张卡失败：加载时非法内存访问。四张卡、上下文 8192 时解码速度 41.5 tok/s。
`;
  return repository(folder, [
    { at: "2026-03-02T08:10:00Z", message: `Record results ${EVIL}`, files: { "RESULTS.md": results } },
    { at: "2026-03-02T21:40:30Z", message: "Ban the growable allocator", files: { "PITFALLS.md": PITFALLS } },
    { at: "2026-03-04T08:00:00Z", message: "Try four again\n\nRetest: 4 devices\n", files: {} },
    { at: "2026-03-06T08:00:00Z", message: "Say where it runs", files: { "README.md": "# Kestrel box\n" } },
  ]);
}
