import Frames
import Goldens
import Testing

@Suite struct JUnitReportTests {
  @Test func verdicts_becomeFailuresAndErrors() throws {
    let report = JUnitReport(
      suite: "a <suite>",
      outcomes: [
        CaseOutcome(name: "well", seconds: 0.5, result: .success([.init(.read, .holds(StageExtent(3, .frames)))])),
        CaseOutcome(
          name: "other", seconds: 1,
          result: .success([
            .init(.read, .holds(StageExtent(3, .frames))), .init(.baked, .differs(["frame 1 (0.042 s) is missing"])),
          ])), CaseOutcome(name: "none", seconds: 0, result: .success([.init(.baked, .unknown)])),
        CaseOutcome(name: "gone", seconds: 0, result: .failure(CamrecError(.input, "no \"clip\" & \u{1}co"))),
      ])
    #expect(
      report.text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="4" failures="2" errors="1" time="1.500">
          <testsuite name="a &lt;suite&gt;" tests="4" failures="2" errors="1" time="1.500">
            <testcase classname="a &lt;suite&gt;" name="well" time="0.500"/>
            <testcase classname="a &lt;suite&gt;" name="other" time="1.000">
              <failure message="baked: frame 1 (0.042 s) is missing">baked: frame 1 (0.042 s) is missing</failure>
            </testcase>
            <testcase classname="a &lt;suite&gt;" name="none" time="0.000">
              <failure message="baked: there is no golden; 'camrec golden record' makes one">\
        baked: there is no golden; 'camrec golden record' makes one</failure>
            </testcase>
            <testcase classname="a &lt;suite&gt;" name="gone" time="0.000">
              <error type="input" message="no &quot;clip&quot; &amp; co"/>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }
}
