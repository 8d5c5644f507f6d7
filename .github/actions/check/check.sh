#!/usr/bin/env bash
# The action's step, as plain shell: run it with CONTENT, BASE, GITHUB_STEP_SUMMARY and GITHUB_OUTPUT set.
set -euo pipefail
lesson=(.venv/bin/python -m engine)
mkdir -p build/check

if [ -n "${BASE:-}" ]; then
  "${lesson[@]}" diff "$BASE" --content "$CONTENT" --format markdown > build/check/changes.md
  echo "changes=build/check/changes.md" >> "$GITHUB_OUTPUT"
fi

code=0
"${lesson[@]}" check --content "$CONTENT" --format github --summary build/check/summary.md || code=$?
cat build/check/summary.md >> "$GITHUB_STEP_SUMMARY"
if [ -n "${BASE:-}" ]; then cat build/check/changes.md >> "$GITHUB_STEP_SUMMARY"; fi
exit "$code"
