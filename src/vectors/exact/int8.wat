;; Dot products of one query with rows of int8, as a first look at many: each row with a bound of how far the result
;; may lie from the dot product of the vectors themselves. All in one imported memory, of less than 2 GiB.
;;
;; Rows lie in groups of four, 8 elements of each in turn, so that a group is read from front to back:
;;
;;     row 0, elements 0-7 | row 1, 0-7 | row 2, 0-7 | row 3, 0-7 | row 0, 8-15 | ... | 4 x f32 scale | 4 x f32 error
;;
;; An element is its int8 times the row's scale; `error` is the length of what that takes from the vector, or more.
;; `stride` is the bytes of a row, a multiple of 16. The bytes 0-31 of the memory are for `scan`'s own use.
(module
  (import "waymark" "memory" (memory 1 65536))

  ;; Puts the vector of `stride` f32 at address `vector` into lane 0-3 of the group at address `group`. Its greatest
  ;; element becomes 127 or -127; it must not be 0.
  (func (export "quantise") (param $vector i32) (param $stride i32) (param $group i32) (param $lane i32)
    (local $from i32) (local $end i32) (local $to i32) (local $scale f32)
    (local $most v128) (local $inverse v128) (local $scales v128) (local $squares v128)
    (local $x v128) (local $y v128) (local $i v128) (local $j v128) (local $rounding v128)
    (local.set $end (i32.add (local.get $vector) (i32.shl (local.get $stride) (i32.const 2))))

    (local.set $from (local.get $vector))
    (loop $next
      ;; Without the sign, floats are in order as integers are, whose maximum takes a fraction of the time.
      (local.set $most (i32x4.max_s (local.get $most) (f32x4.abs (v128.load (local.get $from)))))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br_if $next (i32.ne (local.get $from) (local.get $end))))
    (local.set $scale (f32.div
      (f32.max
        (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
        (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most))))
      (f32.const 127)))
    (local.set $inverse (f32x4.splat (f32.div (f32.const 1) (local.get $scale))))
    (local.set $scales (f32x4.splat (local.get $scale)))
    (local.set $rounding (f32x4.splat (f32.const 0x1.8p23)))

    (local.set $from (local.get $vector))
    (local.set $to (i32.add (local.get $group) (i32.shl (local.get $lane) (i32.const 3))))
    (loop $next
      (local.set $x (v128.load (local.get $from)))
      (local.set $y (v128.load offset=16 (local.get $from)))
      ;; A float of this magnitude has no room for a fraction, and the integer in its last bits.
      (local.set $i (f32x4.add (f32x4.mul (local.get $x) (local.get $inverse)) (local.get $rounding)))
      (local.set $j (f32x4.add (f32x4.mul (local.get $y) (local.get $inverse)) (local.get $rounding)))
      (local.set $x (f32x4.sub (local.get $x)
        (f32x4.mul (f32x4.sub (local.get $i) (local.get $rounding)) (local.get $scales))))
      (local.set $y (f32x4.sub (local.get $y)
        (f32x4.mul (f32x4.sub (local.get $j) (local.get $rounding)) (local.get $scales))))
      (local.set $squares (f32x4.add (local.get $squares)
        (f32x4.add (f32x4.mul (local.get $x) (local.get $x)) (f32x4.mul (local.get $y) (local.get $y)))))
      (local.set $i (i16x8.narrow_i32x4_s
        (i32x4.sub (local.get $i) (local.get $rounding)) (i32x4.sub (local.get $j) (local.get $rounding))))
      (v128.store64_lane 0 (local.get $to) (i8x16.narrow_i16x8_s (local.get $i) (local.get $i)))
      (local.set $to (i32.add (local.get $to) (i32.const 32)))
      (local.set $from (i32.add (local.get $from) (i32.const 32)))
      (br_if $next (i32.ne (local.get $from) (local.get $end))))

    ;; `to` has passed over four rows, and is at the scales but for 8 bytes a lane.
    (local.set $to (i32.sub (local.get $to) (i32.shl (local.get $lane) (i32.const 2))))
    (f32.store (local.get $to) (local.get $scale))
    ;; Up by more than rounding may have taken. With u = 2^-24, an element loses at most u of what it stands for and of
    ;; itself, which is 4 u for all of a vector of length 1, and the sum of the squares stride u / 4 of it.
    (f32.store offset=16 (local.get $to)
      (f32.add
        (f32.mul
          (f32.sqrt (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $squares)) (f32x4.extract_lane 1 (local.get $squares)))
            (f32.add (f32x4.extract_lane 2 (local.get $squares)) (f32x4.extract_lane 3 (local.get $squares)))))
          (f32.add (f32.const 1) (f32.mul (f32.convert_i32_u (local.get $stride)) (f32.const 0x1p-24))))
        (f32.const 0x1p-21))))

  ;; Finds the rows whose score may reach `least`, among those whose bit is set in a byte for each of `count` >= 1
  ;; groups from address `allowed`. `query` is `stride` i16 times `factor`, and `weight` times a row's error is how far
  ;; its score may lie off. For each row found, in order, goes to address `found` its slot, 0 being the first, and
  ;; 16 KiB behind the greatest its score may be, and 32 KiB behind the least. The result is the address behind the
  ;; last slot. Sums of products must fit 32 bits, which is the caller's care. Groups of which no row is allowed are
  ;; computed all the same: leaping over some takes up to three times as long as reading on.
  (func (export "scan")
    (param $query i32) (param $group i32) (param $stride i32) (param $allowed i32) (param $count i32)
    (param $factor f32) (param $weight f32) (param $least f32) (param $found i32) (result i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $q v128)
    (local $from i32) (local $end i32) (local $slot i32) (local $hits i32)
    (local.set $end (i32.add (local.get $query) (i32.shl (local.get $stride) (i32.const 1))))
    (loop $next
      (local.set $from (local.get $query))
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (v128.const i32x4 0 0 0 0))
      (local.set $c (v128.const i32x4 0 0 0 0))
      (local.set $d (v128.const i32x4 0 0 0 0))
      (loop $line
        (local.set $q (v128.load (local.get $from)))
        (local.set $a (i32x4.add (local.get $a)
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $group)) (local.get $q))))
        (local.set $b (i32x4.add (local.get $b)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $group)) (local.get $q))))
        (local.set $c (i32x4.add (local.get $c)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=16 (local.get $group)) (local.get $q))))
        (local.set $d (i32x4.add (local.get $d)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=24 (local.get $group)) (local.get $q))))
        (local.set $q (v128.load offset=16 (local.get $from)))
        (local.set $a (i32x4.add (local.get $a)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=32 (local.get $group)) (local.get $q))))
        (local.set $b (i32x4.add (local.get $b)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=40 (local.get $group)) (local.get $q))))
        (local.set $c (i32x4.add (local.get $c)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=48 (local.get $group)) (local.get $q))))
        (local.set $d (i32x4.add (local.get $d)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=56 (local.get $group)) (local.get $q))))
        (local.set $group (i32.add (local.get $group) (i32.const 64)))
        (local.set $from (i32.add (local.get $from) (i32.const 32)))
        (br_if $line (i32.ne (local.get $from) (local.get $end))))
      ;; The sum of each row's lanes in its own lane of `a`: by halves, then by quarters.
      (local.set $q (call $fold (local.get $c) (local.get $d)))
      (local.set $a (call $fold (local.get $a) (local.get $b)))
      (local.set $a (f32x4.convert_i32x4_s (i32x4.add
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $q))
        (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $q)))))
      (local.set $a (f32x4.mul (local.get $a)
        (f32x4.mul (v128.load (local.get $group)) (f32x4.splat (local.get $factor)))))
      (local.set $b (f32x4.mul (v128.load offset=16 (local.get $group)) (f32x4.splat (local.get $weight))))
      (local.set $c (f32x4.add (local.get $a) (local.get $b)))
      (local.set $group (i32.add (local.get $group) (i32.const 32)))
      (local.set $hits (i32.and (i32.load8_u (local.get $allowed))
        (i32x4.bitmask (f32x4.ge (local.get $c) (f32x4.splat (local.get $least))))))
      (if (local.get $hits)
        (then
          (v128.store (i32.const 0) (local.get $c))
          (v128.store offset=16 (i32.const 0) (f32x4.sub (local.get $a) (local.get $b)))
          (loop $hit
            (local.set $from (i32.ctz (local.get $hits)))
            (i32.store (local.get $found) (i32.add (local.get $slot) (local.get $from)))
            (local.set $from (i32.shl (local.get $from) (i32.const 2)))
            (f32.store offset=16384 (local.get $found) (f32.load (local.get $from)))
            (f32.store offset=32768 (local.get $found) (f32.load offset=16 (local.get $from)))
            (local.set $found (i32.add (local.get $found) (i32.const 4)))
            (local.set $hits (i32.and (local.get $hits) (i32.sub (local.get $hits) (i32.const 1))))
            (br_if $hit (local.get $hits)))))
      (local.set $slot (i32.add (local.get $slot) (i32.const 4)))
      (local.set $allowed (i32.add (local.get $allowed) (i32.const 1)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $next (local.get $count)))
    (local.get $found))

  ;; x0+x2, y0+y2, x1+x3, y1+y3.
  (func $fold (param $x v128) (param $y v128) (result v128)
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $x) (local.get $y))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $x) (local.get $y)))))
