/// What the keywords for arrays ask; -1 for no schema.
struct ArrayCheck {
  var minimum = 0
  var maximum = Int.max
  var isUnique = false
  var prefix = Slice()
  var rest: Int32 = -1
  var contains: Int32 = -1
  var containsMinimum = 0
  var containsMaximum = Int.max
  var containsEvaluates = false
}
