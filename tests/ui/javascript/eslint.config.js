// Lint rules for the app's JavaScript and its tests. Names that are not defined: see tsconfig.json.
import js from "@eslint/js";

export default [
  { ignores: ["**/node_modules/**"] },
  {
    ...js.configs.recommended,
    languageOptions: { ecmaVersion: 2022, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      ...js.configs.recommended.rules,
      "no-undef": "off", // the type checker knows the browser's names
      "max-lines": ["error", 300],
      "max-params": ["error", 5],
      "complexity": ["error", 20],
      "consistent-this": "error",
      "default-param-last": "error",
      "eqeqeq": "error",
      "no-else-return": "error",
      "no-eval": "error",
      "no-implicit-globals": "error",
      "no-implied-eval": "error",
      "no-param-reassign": "error",
      "no-shadow": "error",
      "no-throw-literal": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      "sort-imports": ["error", { ignoreDeclarationSort: true }],
    },
  },
  {
    files: ["tsnmf_ui/**"],
    rules: {
      "no-console": ["error", { allow: ["error"] }],
      // a text of a document must never become markup
      "no-restricted-properties": ["error",
        { property: "innerHTML" }, { property: "outerHTML" }, { property: "insertAdjacentHTML" }],
    },
  },
];
