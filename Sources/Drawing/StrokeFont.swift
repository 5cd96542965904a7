/// Letters, digits and some signs as strokes, for text at any size. Other characters are blank.
public enum StrokeFont {
  /// Polylines on a grid 4 wide and 6 high from the top left, where small letters may reach 2 below: two digits (x, y)
  /// per point, with blanks between lines.
  private static let glyphs: [Character: String] = [
    "A": "062046 1434", "B": "003041423303 334445360600", "C": "4130100105163645", "D": "00304145360600",
    "E": "40000646 0333", "F": "400006 0333", "G": "41301001051636454323", "H": "0006 4046 0343",
    "I": "1030 2026 1636", "J": "4045361605", "K": "0006 400346", "L": "000646", "M": "0600234046",
    "N": "06004640", "O": "103041453616050110", "P": "06003041423303", "Q": "103041453616050110 2446",
    "R": "06003041423303 2346", "S": "413010010213334445361605", "T": "0040 2026", "U": "000516364540",
    "V": "002640", "W": "0016233640", "X": "0046 4006", "Y": "002340 2326", "Z": "00400646",
    "0": "103041453616050110 4105", "1": "112026 1636", "2": "01103041420646", "3": "01103041423323 334445361605",
    "4": "36300444", "5": "400003334445361605", "6": "30100105163645443303", "7": "004016",
    "8": "103041423313020110 1304051636454433", "9": "43130201103041453616", "-": "1333", "+": "1333 2224",
    ".": "2626", "/": "0640", ":": "2222 2525", ",": "2617", "_": "0646", "=": "0242 0444", "(": "30212536",
    ")": "10212516", "<": "410345", ">": "014305", "'": "2022", "!": "2024 2626", "?": "01103041422324 2626",
    "%": "4006 0010110100 3545463635",
    "a": "4246 4332120305163645", "b": "0006 0312324345361605", "c": "4332120305163645", "d": "4046 4332120305163645",
    "e": "04444332120305163645", "f": "40302126 0343", "g": "4247381807 4332120305163645", "h": "0006 0312324346",
    "i": "122226 1636 2020", "j": "32372818 3030", "k": "0006 4204 1346", "l": "102026 1636",
    "m": "0206 03122326 23324346", "n": "0206 0312324346", "o": "123243453616050312", "p": "0208 0312324345361605",
    "q": "4248 4332120305163645", "r": "0206 03123243", "s": "43321203143445361605", "t": "20253646 0242",
    "u": "0205163645 4246", "v": "022642", "w": "0216243642", "x": "0246 4206", "y": "0226 4218", "z": "02420646",
    "°": "2031221120", "×": "1335 1533", "·": "2323", "…": "0606 2626 4646", "≥": "014305 0646", "–": "0343",
    "→": "0343 324334", "←": "0343 120314", "↑": "2026 122032", "↓": "2026 142634", ";": "2222 2617", "\"": "1012 3032",
    "*": "1234 1432 2125", "#": "1016 3036 0242 0444", "[": "30101636", "]": "10303616", "|": "2027",
    "&": "461120311305163644", "~": "0413233443",
  ]

  /// Whether it has strokes.
  public static func draws(_ character: Character) -> Bool { glyphs[character] != nil }

  /// Units of the grid from one letter to the next.
  private static let advance = 5.6

  /// From the left edge of the first letter to the right edge of the last.
  public static func width(of text: String, height: Double) -> Double {
    text.isEmpty ? 0 : (advance * Double(text.count - 1) + 4) * height / 6
  }

  /// Calls `line` with the ends of each stroke of `text`. The first letter's top left corner is (x, y), and letters are
  /// `height` high; strokes look good with an eighth of that as their width.
  public static func strokes(
    of text: String, _ x: Double, _ y: Double, height: Double,
    line: (_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> Void
  ) {
    let unit = height / 6
    for (index, character) in text.enumerated() {
      let left = x + Double(index) * advance * unit
      for stroke in (glyphs[character] ?? "").split(separator: " ") {
        let digits = stroke.utf8.map { Double($0 - UInt8(ascii: "0")) * unit }
        for point in stride(from: 2, to: max(digits.count, 4), by: 2) where point + 1 < digits.count {
          line(left + digits[point - 2], y + digits[point - 1], left + digits[point], y + digits[point + 1])
        }
      }
    }
  }
}
