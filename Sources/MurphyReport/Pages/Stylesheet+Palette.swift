extension Stylesheet {
  /// Two sets of the same names. Each text colour has a contrast of at least 4.5 : 1 on `paper` and on `sheet`
  /// (WCAG 2.2, 1.4.3), and each colour of a drawing 3 : 1 (1.4.11); a test computes them.
  package static let palette: StaticString = """

    :root{color-scheme:light dark;
    --paper:#fcfbf8;--sheet:#f3f1ec;--ink:#1c1b19;--muted:#625f58;--line:#dedad1;
    --kept:#17704a;--broken:#b3261e;--doubt:#8a5300;--none:#5d5f66;--link:#1f55a8;
    --p50:#1f6f8b;--p95:#7a4fb0;--p99:#b1306b;--max:#8b8578;--sent:#7b93a8;--limited:#b0802a;--failed:#c23a30;
    --ok:#4f9a72;--client:#a06a3c;--lost:#4a4038;--cancelled:#858279;--window:#e9e3d2;--marked:#fbe3a6;
    --h0:#dbe8ec;--h1:#b5d0d9;--h2:#86b1bf;--h3:#538fa3;--h4:#276b83;--h5:#0b4458}
    @media screen and (prefers-color-scheme:dark){:root{
    --paper:#141517;--sheet:#1d1f22;--ink:#ebe8e2;--muted:#a5a29a;--line:#34363a;
    --kept:#58c48d;--broken:#ff8378;--doubt:#e5ac4d;--none:#a9abb3;--link:#8fb6f5;
    --p50:#5db8d6;--p95:#b697ec;--p99:#f27fb0;--max:#8f8a80;--sent:#66809a;--limited:#d3a24a;--failed:#f0685d;
    --ok:#3f9468;--client:#c48a58;--lost:#c9bfb3;--cancelled:#85837d;--window:#2a2c2c;--marked:#57430f;
    --h0:#1d2f36;--h1:#204551;--h2:#275f70;--h3:#2f768b;--h4:#55a8bf;--h5:#a5e0ef}}

    """
}
