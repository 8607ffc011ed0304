;; Approximate dot products of one query with int8 rows, each with a bound on its distance from the dot product of the
;; original vectors. Everything is in one imported memory of less than 2 GiB.
;;
;; Rows are interleaved in groups of four, 8 elements of each at a time, so that a group is read sequentially:
;;
;;     row 0, elements 0-7 | row 1, 0-7 | row 2, 0-7 | row 3, 0-7 | row 0, 8-15 | ... | 4 x f32 scale | 4 x f32 error
;;
;; An element is its int8 times the row's scale; `error` is an upper bound on the length of the quantisation error.
;; `stride` is the bytes per row, a multiple of 16. Bytes 0-31 of the memory are scratch space for `scan`.
(module
  (import "waymark" "memory" (memory 1 65536))

  ;; Quantises the vector of `stride` f32 at address `vector` into lane 0-3 of the group at address `group`. Its largest
  ;; element becomes 127 or -127; the vector must not be zero.
  (func (export "quantise") (param $vector i32) (param $stride i32) (param $group i32) (param $lane i32)
    (local $from i32) (local $end i32) (local $to i32) (local $scale f32)
    (local $largest v128) (local $inverse v128) (local $scales v128) (local $squares v128)
    (local $x v128) (local $y v128) (local $i v128) (local $j v128) (local $rounding v128)
    (local.set $end (i32.add (local.get $vector) (i32.shl (local.get $stride) (i32.const 2))))

    (local.set $from (local.get $vector))
    (loop $next
      ;; Without their sign, floats sort like integers, whose maximum is several times faster.
      (local.set $largest (i32x4.max_s (local.get $largest) (f32x4.abs (v128.load (local.get $from)))))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br_if $next (i32.ne (local.get $from) (local.get $end))))
    (local.set $scale (f32.div
      (f32.max
        (f32.max (f32x4.extract_lane 0 (local.get $largest)) (f32x4.extract_lane 1 (local.get $largest)))
        (f32.max (f32x4.extract_lane 2 (local.get $largest)) (f32x4.extract_lane 3 (local.get $largest))))
      (f32.const 127)))
    (local.set $inverse (f32x4.splat (f32.div (f32.const 1) (local.get $scale))))
    (local.set $scales (f32x4.splat (local.get $scale)))
    (local.set $rounding (f32x4.splat (f32.const 0x1.8p23)))

    (local.set $from (local.get $vector))
    (local.set $to (i32.add (local.get $group) (i32.shl (local.get $lane) (i32.const 3))))
    (loop $next
      (local.set $x (v128.load (local.get $from)))
      (local.set $y (v128.load offset=16 (local.get $from)))
      ;; A float of this magnitude has no fraction bits: adding rounds, and the integer ends up in its low bits.
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

    ;; `to` has advanced past four rows: it is 8 bytes per lane beyond the scales.
    (local.set $to (i32.sub (local.get $to) (i32.shl (local.get $lane) (i32.const 2))))
    (f32.store (local.get $to) (local.get $scale))
    ;; Rounded up by more than float32 rounding can have lost. With u = 2^-24, each element is off by at most u of its
    ;; value and of its quantised value: 4 u in total for a unit vector; the sum of squares is off by stride u / 4.
    (f32.store offset=16 (local.get $to)
      (f32.add
        (f32.mul
          (f32.sqrt (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $squares)) (f32x4.extract_lane 1 (local.get $squares)))
            (f32.add (f32x4.extract_lane 2 (local.get $squares)) (f32x4.extract_lane 3 (local.get $squares)))))
          (f32.add (f32.const 1) (f32.mul (f32.convert_i32_u (local.get $stride)) (f32.const 0x1p-24))))
        (f32.const 0x1p-21))))

  ;; Finds the rows whose score may reach `threshold`, among those whose bit is set in the mask: one byte for each of
  ;; `count` >= 1 groups, from address `mask`. The query is `stride` i16 times `factor`; a row's score is off by at most
  ;; `weight` times its error. For each row found, in order, writes its slot (0 is the first row) at address `found`,
  ;; the upper bound of its score 16 KiB further on and the lower bound 32 KiB further on. Returns the address after the
  ;; last slot. The caller ensures that sums of products fit 32 bits. Groups without a mask bit are computed all the
  ;; same: skipping them takes up to three times as long as reading on.
  (func (export "scan")
    (param $query i32) (param $group i32) (param $stride i32) (param $mask i32) (param $count i32)
    (param $factor f32) (param $weight f32) (param $threshold f32) (param $found i32) (result i32)
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
      ;; Sums the lanes of each row into that row's lane of `a`: halves first, then quarters.
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
      (local.set $hits (i32.and (i32.load8_u (local.get $mask))
        (i32x4.bitmask (f32x4.ge (local.get $c) (f32x4.splat (local.get $threshold))))))
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
      (local.set $mask (i32.add (local.get $mask) (i32.const 1)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $next (local.get $count)))
    (local.get $found))

  ;; Returns x0+x2, y0+y2, x1+x3, y1+y3.
  (func $fold (param $x v128) (param $y v128) (result v128)
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $x) (local.get $y))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $x) (local.get $y)))))
