import Foundation
import Platform
import Testing

@Suite struct HomeFolderTests {
  @Test func variableDecides_ifItIsAnAbsolutePath() {
    #expect(HomeFolder.path(environment: ["HOME": "/srv/ci"]) == "/srv/ci")
    for environment in [[:], ["HOME": ""], ["HOME": "ci"]] {
      #expect(HomeFolder.path(environment: environment) == NSHomeDirectory())
    }
  }
}
